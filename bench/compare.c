/* compare: programs under loaders beside their native runs, measured in interleaved rounds. */
#include "bench/environment.h"
#include "bench/export_json.h"
#include "bench/measure.h"
#include "bench/session.h"
#include "bench/table.h"
#include "bench/target.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Exit status beside 0. */
enum { ENDED_DIFFERENTLY = 1, CANNOT_MEASURE = 2 };

static const char usage[] =
    "Usage: compare [OPTION]... PROGRAM...\n"
    "       compare [OPTION]... --target=MEASURE:LIMIT:LOADER:PROGRAM...\n"
    "Runs every PROGRAM alone and under every loader, in random order within each round,\n"
    "and prints medians beside the native run. A loader or program may have arguments\n"
    "behind it, in the same word: --loader='./hybrid_loader --policy=none'.\n"
    "\n"
    "      --loader=PATH      one loader; may be repeated\n"
    "      --target=...       instead of the table: a figure to reach; may be repeated;\n"
    "                         wall:1.2:L:P   wall time at most 1.2 times native\n"
    "                         rss:512:L:P    peak RSS at most native + 512 KB\n"
    "      --rounds=N         rounds that measure time (20)\n"
    "      --warmup=N         rounds before them, which measure peak RSS (3)\n"
    "      --seed=N           of the order of runs (from the clock)\n"
    "      --timeout=SECONDS  kill a run that takes longer (60; 0: never)\n"
    "      --launcher=PATH    (beside this program)\n"
    "      --json=FILE        write every sample and the environment there\n"
    "  -h, --help\n"
    "\n"
    "Exit status: 0; 1 when a run ended otherwise than the native one; 2 when a command\n"
    "could not be run. A missed target is no failure.\n";

struct options {
	char **loaders, **programs;
	size_t loader_count, program_count;
	struct target *targets;
	size_t target_count;
	unsigned long rounds, warmup, timeout_s;
	uint64_t seed;
	const char *json;
	char launcher[4096];
};

static _Noreturn void fail(const char *format, ...)
{
	va_list arguments;

	fputs("compare: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(CANNOT_MEASURE);
}

static unsigned long number(const char *option, const char *text, unsigned long least,
			    unsigned long most)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (end == text || *end != '\0' || *text == '-' || errno != 0 || value < least ||
	    value > most)
		fail("--%s is a number from %lu to %lu, not '%s'", option, least, most, text);
	return value;
}

/* The launcher is built next to this program. */
static void set_default_launcher(struct options *options)
{
	ssize_t length =
	    readlink("/proc/self/exe", options->launcher, sizeof(options->launcher) - 10);
	char *slash;

	if (length < 0)
		fail("cannot read /proc/self/exe: %s", strerror(errno));
	options->launcher[length] = '\0';
	slash = strrchr(options->launcher, '/');
	strcpy(slash + 1, "launcher");
}

static void set_option(struct options *options, int letter, const char *name, char *value)
{
	const char *wrong;

	switch (letter) {
	case 'l':
		options->loaders[options->loader_count++] = value;
		break;
	case 't':
		wrong = target_parse(value, &options->targets[options->target_count++]);
		if (wrong != NULL)
			fail("%s", wrong);
		break;
	case 'r':
		options->rounds = number(name, value, 1, 1000000);
		break;
	case 'w':
		options->warmup = number(name, value, 1, 1000000);
		break;
	case 's':
		options->seed = number(name, value, 0, (unsigned long)-1);
		break;
	case 'k':
		options->timeout_s = number(name, value, 0, 86400);
		break;
	case 'c':
		snprintf(options->launcher, sizeof(options->launcher), "%s", value);
		break;
	case 'j':
		options->json = value;
		break;
	case 'h':
		fputs(usage, stdout);
		exit(0);
	default:
		fputs("Try --help.\n", stderr);
		exit(CANNOT_MEASURE);
	}
}

static void read_options(struct options *options, int argc, char **argv)
{
	static const struct option known[] = {
	    {"loader", required_argument, NULL, 'l'},	{"target", required_argument, NULL, 't'},
	    {"rounds", required_argument, NULL, 'r'},	{"warmup", required_argument, NULL, 'w'},
	    {"seed", required_argument, NULL, 's'},	{"timeout", required_argument, NULL, 'k'},
	    {"launcher", required_argument, NULL, 'c'}, {"json", required_argument, NULL, 'j'},
	    {"help", no_argument, NULL, 'h'},		{NULL, 0, NULL, 0},
	};
	int letter, at = 0;

	*options = (struct options){.rounds = 20, .warmup = 3, .timeout_s = 60};
	options->seed = (uint64_t)time(NULL);
	options->loaders = calloc((size_t)argc, sizeof(*options->loaders));
	options->targets = calloc((size_t)argc, sizeof(*options->targets));
	if (options->loaders == NULL || options->targets == NULL)
		fail("out of memory");
	set_default_launcher(options);
	while ((letter = getopt_long(argc, argv, "h", known, &at)) != -1)
		set_option(options, letter, known[at].name, optarg);
	options->programs = argv + optind;
	options->program_count = (size_t)(argc - optind);
	if ((options->target_count == 0) == (options->program_count == 0))
		fail("give programs, or targets, and not both; try --help");
	if (options->target_count > 0 && options->loader_count > 0)
		fail("a target names its own loader; --loader goes with programs");
	if (access(options->launcher, X_OK) != 0)
		fail("no launcher at %s: %s", options->launcher, strerror(errno));
}

static void add_commands(struct session *session, const struct options *options)
{
	/* The launcher alone, so that what it adds to every wall time is known. */
	bool added = session_add(session, NULL, "") != SESSION_NONE;

	for (size_t i = 0; i < options->program_count; i++) {
		if (options->programs[i][strspn(options->programs[i], " ")] == '\0')
			fail("a program has no name");
		added &= session_add(session, NULL, options->programs[i]) != SESSION_NONE;
		for (size_t j = 0; j < options->loader_count; j++)
			added &= session_add(session, options->loaders[j], options->programs[i]) !=
				 SESSION_NONE;
	}
	for (size_t i = 0; i < options->target_count; i++) {
		struct target *target = &options->targets[i];

		target->command = session_add(session, target->loader, target->program);
		added &= target->command != SESSION_NONE;
	}
	if (!added)
		fail("out of memory");
}

static bool run_command(void *context, char *const argv[], bool memory, struct run_sample *sample)
{
	return measure_run(context, argv, memory, sample);
}

static void write_json(const char *path, const struct session *session,
		       const struct environment *environment)
{
	FILE *file = fopen(path, "we");

	if (file == NULL)
		fail("cannot write %s: %s", path, strerror(errno));
	export_json(file, session, environment);
	if (ferror(file) | fclose(file))
		fail("cannot write %s: %s", path, strerror(errno));
}

static void print_results(const struct options *options, const struct session *session,
			  const struct environment *environment)
{
	size_t launcher = session_find(session, NULL, "");
	struct quartiles cost = session_quartiles(session, launcher, MEASURE_wall_ns, VIEW_PLAIN);

	environment_print(stdout, environment);
	printf(
	    "Medians of %zu rounds in random order, of memory %zu; compared with native pair by\n"
	    "pair within a round. %.2f ms of every wall time start and reap a process.\n",
	    session->time_rounds, session->memory_rounds, cost.median);
	if (!session_rss_exact(session))
		printf(
		    "Peak RSS is as wait4 counts it, in coarse steps: tracing is not permitted.\n");
	printf("\n");
	if (options->target_count > 0)
		target_print(stdout, session, options->targets, options->target_count);
	else
		table_print(stdout, session, options->loaders, options->loader_count);
}

int main(int argc, char **argv)
{
	struct options options;
	struct environment environment;
	struct session session = {0};
	struct launcher launcher;
	const struct command *failed;
	size_t differences;

	read_options(&options, argc, argv);
	session.time_rounds = options.rounds;
	session.memory_rounds = options.warmup;
	session.seed = options.seed;
	launcher = (struct launcher){options.launcher, (unsigned int)options.timeout_s};
	environment_read(&environment);
	add_commands(&session, &options);
	failed = session_run(&session, run_command, &launcher);
	if (failed != NULL)
		fail("cannot run %s: %s", failed->argv[0] == NULL ? "launcher" : failed->argv[0],
		     strerror(errno));
	print_results(&options, &session, &environment);
	differences = table_print_differences(stdout, &session);
	if (options.json != NULL)
		write_json(options.json, &session, &environment);
	session_free(&session);
	free(options.loaders);
	free(options.targets);
	return differences > 0 ? ENDED_DIFFERENTLY : 0;
}
