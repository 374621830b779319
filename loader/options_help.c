/* --help, which fits one screen of 80 columns and 24 lines together with the prompt, and --version.
 */
#include "common/report.h"
#include "loader/guest.h"
#include "loader/prepare/engines.h"

/*
 * Of the libraries that libelf wants, whatever it turned out to need: a weak reference brings
 * nothing in, and is NULL where nobody else has.
 */
extern int inflate(void *stream, int flush) __attribute__((weak));
extern size_t ZSTD_decompress(void *to, size_t room, const void *from, size_t bytes)
    __attribute__((weak));

#ifdef __GLIBC__
#define LIBC_WORDS "glibc (LGPL-2.1+)"
#else
#define LIBC_WORDS "musl (MIT)"
#endif

bool options_print_version(const struct strategy *strategy)
{
	FILE *out = report_output();

	if (out == NULL)
		return false;
	fprintf(out,
		"%s %s\n"
		"MIT license; contains libelf (LGPL-3+ or GPL-2+), %s%s%s\n",
		strategy->name, LOADER_VERSION, LIBC_WORDS, inflate != NULL ? ", zlib (Zlib)" : "",
		ZSTD_decompress != NULL ? ", zstd (BSD-3-clause or GPL-2)" : "");
	return report_close(out);
}

static void print_lazy_options(FILE *out)
{
	fprintf(out, "      --policy=NAME   ");
	for (size_t i = 0; i < policy_count; i++)
		fprintf(out, " %s", policies[i].name);
	fprintf(out, "\n      --engine=NAME   ");
	for (const char *const *name = engine_names; *name != NULL; name++)
		fprintf(out, " %s", *name);
	fprintf(out,
		"; by default the best\n"
		"      --guard=WHEN     intercept system calls: auto, require, none\n"
		"      --retire=N       end lazy paging after N system calls, never, or auto\n"
		"      --record=FILE    write what the program touches, for --profile\n"
		"      --verify         compare records with the kernel's at each step: slow\n");
}

bool options_print_help(const struct strategy *strategy)
{
	const char *name = strategy->name;
	bool is_lazy = strategy->default_policy != NULL;
	FILE *out = report_output();

	if (out == NULL)
		return false;
	fprintf(out,
		"Usage: %s [OPTION]... PROGRAM [ARG]...\n"
		"%s\n"
		"      --argv0=NAME     the program's argv[0], instead of PROGRAM as typed\n"
		"      --profile=FILE   at entry bring in what a recorded run touched; or auto\n",
		name, strategy->summary);
	if (is_lazy)
		print_lazy_options(out);
	fprintf(out,
		"Watching:\n"
		"  -v, --verbose        say each mapping made for the program\n"
		"      --plan           print the load plan, load nothing\n"
		"      --explain[=json] the whole story, from the ELF header to each fault\n"
		"      --step           the same, waiting for a key at each part\n"
		"      --pause          wait for a debugger before the first instruction\n"
		"%s"
		"  -s, --stats[=FILE]   statistics at exit; as JSON to FILE\n"
		"  -h, --help, -V, --version\n"
		"Exit status: the program's; 125 failed, 126 cannot be loaded, 127 not found.\n"
		"  %s ./prog1\n"
		"  %s --explain busybox ls -l\n"
		"  %s --stats=run.json ./prog2\n",
		is_lazy ? "      --trace=FILE     write each fault, call, signal, thread to FILE\n"
			: "",
		name, name, name);
	return report_close(out);
}
