/* --help, in lines of at most 79 columns, and --version. */
#include "common/report.h"
#include "loader/cli/options.h"
#include "loader/cli/options_table.h"

#include <string.h>

#define SCREEN_COLUMNS 79
#define TEXT_COLUMN    26

/*
 * Functions of the libraries that libelf may need. A weak reference links no library, and is NULL
 * if the library is not linked.
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
		strategy->name, TOOLKIT_VERSION, LIBC_WORDS, inflate != NULL ? ", zlib (Zlib)" : "",
		ZSTD_decompress != NULL ? ", zstd (BSD-3-clause or GPL-2)" : "");
	return report_close(out);
}

/* Prints a text from its column on. Text that exceeds the line continues in the same column. */
static void print_text(FILE *out, const char *text)
{
	size_t length = strlen(text);

	while (length > SCREEN_COLUMNS - TEXT_COLUMN)
		length = (size_t)((const char *)memrchr(text, ' ', length) - text);
	fprintf(out, "%.*s\n", (int)length, text);
	if (text[length] != '\0') {
		fprintf(out, "%*s", TEXT_COLUMN, "");
		print_text(out, text + length + 1);
	}
}

/* `  -s, --stats[=FILE]   statistics at exit; as JSON to FILE` */
static void print_option(FILE *out, enum option_id id)
{
	static const char forms[][8] = {"%s", "%s=%s", "%s[=%s]"};
	const struct option_row *row = &option_rows[id];
	const char *help = option_text(id, OPTION_HELP);
	char usage[32];

	snprintf(usage, sizeof(usage), forms[row->takes], row->name, option_text(id, OPTION_VALUE));
	fprintf(out, row->letter != 0 ? "  -%c, " : "      ", row->letter);
	fprintf(out, "--%-17s ", usage);
	print_text(out, help + strspn(help, " "));
}

static void print_options(FILE *out, bool is_lazy)
{
	enum option_group group = RUNNING;

	for (enum option_id id = 0; id < OPTION_COUNT; id++) {
		if (!option_is_for(id, is_lazy))
			continue;
		if (option_rows[id].group != group)
			fprintf(out, "Watching:\n");
		group = option_rows[id].group;
		print_option(out, id);
	}
}

/* What a loader with hidden pages does without this option; NULL: nothing. */
static const char *default_of(const struct strategy *strategy, enum option_id id)
{
	switch (id) {
	case OPTION_policy:
		return policy_that(strategy->default_policy)->name;
	case OPTION_engine:
		return strategy->fills_ahead
			   ? "the first that works of userfaultfd, guard, mprotect"
			   : "the first that works of guard, mprotect";
	case OPTION_guard:
	case OPTION_retire:
	case OPTION_huge:
		return "auto";
	case OPTION_placement:
		return "none";
	default:
		return NULL;
	}
}

/* By its name or its letter. */
static bool is_named(enum option_id id, const char *name)
{
	return strcmp(option_rows[id].name, name) == 0 ||
	       (name[0] == option_rows[id].letter && name[0] != '\0' && name[1] == '\0');
}

bool options_print_one(const struct strategy *strategy, const char *name, FILE *out)
{
	bool is_lazy = strategy->default_policy != NULL;
	struct option_getopt getopt;
	enum option_id id = 0;

	option_prepare_getopt(&getopt); /* sets the hyphens in names */
	while (id < OPTION_COUNT && (!is_named(id, name) || !option_is_for(id, is_lazy)))
		id++;
	if (id == OPTION_COUNT)
		return false;
	print_option(out, id);
	if (default_of(strategy, id) != NULL)
		fprintf(out, "%*sDefault: %s.\n", TEXT_COLUMN, "", default_of(strategy, id));
	fprintf(out, "%*sThe manual page of hybrid_loader says more.\n", TEXT_COLUMN, "");
	return true;
}

bool options_print_help(const struct strategy *strategy)
{
	const char *name = strategy->name;
	FILE *out = report_output();

	if (out == NULL)
		return false;
	fprintf(out, "Usage: %s [OPTION]... PROGRAM [ARG]...\n%s\n", name, strategy->summary);
	print_options(out, strategy->default_policy != NULL);
	fprintf(out,
		"Exit status: the program's; 125 failed, 126 cannot be loaded, 127 not found.\n"
		"  %s ./prog1\n"
		"  %s --explain busybox ls -l\n"
		"  %s --stats=run.json ./prog2\n",
		name, name, name);
	return report_close(out);
}
