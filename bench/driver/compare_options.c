/* The command line of compare. */
#include "bench/driver/compare_options.h"
#include "bench/shared/expand.h"
#include "bench/shared/tool.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The value that getopt_long returns for the number of rounds of a kind. */
#define ROUNDS_OF(kind) (256 + (int)(kind))

static const char usage[] =
    "Usage: compare [OPTION]... PROGRAM...\n"
    "       compare --against=FILE --now=FILE\n"
    "       compare [OPTION]... --target=MEASURE:LIMIT:LOADER:PROGRAM...\n"
    "Runs every PROGRAM alone and under every loader, in random order within each round,\n"
    "and prints medians next to the native run. A loader or program may have arguments\n"
    "after it, in the same word, and braces: --loader='./hybrid_loader --policy={none,counter}'.\n"
    "\n"
    "What to run:\n"
    "      --loader=PATH      a loader; may be repeated\n"
    "      --target=...       instead of the table: a figure to reach; may be repeated;\n"
    "                         wall:1.2:L:P   wall time at most 1.2 times native\n"
    "                         cpu:1.2:L:P    processor time\n"
    "                         wall/E:0.9:L:P wall time under L against that under loader E\n"
    "                         mean-wall:1:L:WORDS  geometric mean of the programs under L\n"
    "                         rss:512:L:P    peak RSS at most native + 512 KB\n"
    "      --rounds=N         rounds that measure time (20)\n"
    "      --warmup=N         rounds before them, which measure peak RSS (3)\n"
    "      --counters=N       rounds with performance counters (0)\n"
    "      --statistics=N     rounds in which loaders write statistics (1)\n"
    "      --seed=N           of the order of runs (from the clock)\n"
    "      --timeout=SECONDS  kill a run that takes longer (60; 0: never)\n"
    "      --launcher=PATH    (next to this program)\n"
    "What to write:\n"
    "      --matrix           one line a program, instead of one for each way to run it\n"
    "      --json=FILE        every sample, medians and the environment\n"
    "      --csv=FILE         medians and intervals\n"
    "      --markdown=FILE    the table\n"
    "      --against=FILE     earlier JSON: print what changed beyond the noise\n"
    "      --now=FILE         ... in this JSON, without running anything\n"
    "  -h, --help\n"
    "\n"
    "Exit status: 0; 1 when a run ended differently from the native one; 125 when a\n"
    "command could not be run. A missed target is no failure.\n";

static void add_words(struct words *words, const char *text)
{
	size_t count;
	char **expanded = expand_braces(text, &count);
	char **longer = realloc(words->texts, (words->count + count) * sizeof(*longer));

	if (expanded == NULL || longer == NULL)
		tool_stop("out of memory; name fewer programs");
	if (text[strspn(text, " ")] == '\0')
		tool_stop("a program or a loader has no name: leave out the empty word");
	words->texts = longer;
	memcpy(longer + words->count, expanded, count * sizeof(*expanded));
	words->count += count;
	free(expanded);
}

/* The launcher is built next to this program. */
static void set_default_launcher(struct options *options)
{
	ssize_t length =
	    readlink("/proc/self/exe", options->launcher, sizeof(options->launcher) - 10);
	char *slash;

	if (length < 0)
		tool_stop("cannot read /proc/self/exe: %s; mount /proc", strerror(errno));
	options->launcher[length] = '\0';
	slash = strrchr(options->launcher, '/');
	strcpy(slash + 1, "launcher");
}

static json_t *read_results(const char *path)
{
	json_error_t error;
	json_t *results = json_load_file(path, 0, &error);

	if (results == NULL)
		tool_stop("cannot read %s: %s; name a file that --json wrote", path, error.text);
	if (!json_is_array(json_object_get(results, "commands")))
		tool_stop("%s is no file that --json wrote; write one with --json=FILE", path);
	return results;
}

static void add_target(struct options *options, char *text)
{
	const char *wrong = target_parse(text, &options->targets[options->target_count++]);

	if (wrong != NULL)
		tool_stop("%s", wrong);
}

static void set_option(struct options *options, int letter, const char *name, char *value)
{
	if (letter >= ROUNDS_OF(0)) {
		int kind = letter - ROUNDS_OF(0);

		/* At least one for memory, which warms the caches, and one for time, which is the
		 * result. */
		options->rounds[kind] =
		    tool_number(name, value, kind == ROUND_time || kind == ROUND_memory, 1000000);
	} else if (letter == 'j') {
		options->json = value;
	} else if (letter == 'v') {
		options->csv = value;
	} else if (letter == 'm') {
		options->markdown = value;
	} else if (letter == 'l') {
		add_words(&options->loaders, value);
	} else if (letter == 't') {
		add_target(options, value);
	} else if (letter == 's') {
		options->seed = tool_number(name, value, 0, LONG_MAX);
	} else if (letter == 'k') {
		options->timeout_s = (unsigned int)tool_number(name, value, 0, 86400);
	} else if (letter == 'c') {
		snprintf(options->launcher, sizeof(options->launcher), "%s", value);
	} else if (letter == 'x') {
		options->matrix = true;
	} else if (letter == 'a') {
		options->against = read_results(value);
	} else if (letter == 'n') {
		options->now = read_results(value);
	} else if (letter == 'h') {
		fputs(usage, stdout);
		exit(0);
	}
}

static void check_what_to_do(const struct options *options)
{
	if (options->now != NULL) {
		if (options->against == NULL || options->programs.count > 0)
			tool_stop("--now wants --against=FILE, and no program: it runs nothing");
		return;
	}
	if (options->target_count == 0 && options->programs.count == 0)
		tool_stop("no program was named: name one after the options; try --help");
	if (options->target_count > 0 && options->programs.count > 0)
		tool_stop("give programs, or targets, and not both; try --help");
	if (options->target_count > 0 && options->loaders.count > 0)
		tool_stop("a target names its own loader; leave out --loader");
	tool_check_file(options->json);
	tool_check_file(options->csv);
	tool_check_file(options->markdown);
	if (access(options->launcher, X_OK) != 0)
		tool_stop("no launcher at %s: %s; name it with --launcher=PATH", options->launcher,
			  strerror(errno));
}

static void check_letter(int letter, const char *word)
{
	if (letter == ':')
		tool_stop("%s needs a value; try --help", word);
	if (letter == '?')
		tool_stop("%s cannot be understood; try --help, and write a program and its "
			  "arguments as one word, as in '/bin/ls -l'",
			  word);
}

void options_read(struct options *options, int argc, char **argv)
{
	static const struct option known[] = {
	    {"loader", required_argument, NULL, 'l'},
	    {"target", required_argument, NULL, 't'},
	    {"rounds", required_argument, NULL, ROUNDS_OF(ROUND_time)},
	    {"warmup", required_argument, NULL, ROUNDS_OF(ROUND_memory)},
	    {"counters", required_argument, NULL, ROUNDS_OF(ROUND_counters)},
	    {"statistics", required_argument, NULL, ROUNDS_OF(ROUND_statistics)},
	    {"seed", required_argument, NULL, 's'},
	    {"timeout", required_argument, NULL, 'k'},
	    {"launcher", required_argument, NULL, 'c'},
	    {"json", required_argument, NULL, 'j'},
	    {"csv", required_argument, NULL, 'v'},
	    {"markdown", required_argument, NULL, 'm'},
	    {"against", required_argument, NULL, 'a'},
	    {"now", required_argument, NULL, 'n'},
	    {"matrix", no_argument, NULL, 'x'},
	    {"help", no_argument, NULL, 'h'},
	    {NULL, 0, NULL, 0},
	};
	int letter, at = 0;

	*options = (struct options){.timeout_s = 60, .seed = (uint64_t)time(NULL)};
	options->rounds[ROUND_memory] = 3;
	options->rounds[ROUND_statistics] = 1;
	options->rounds[ROUND_time] = 20;
	options->targets = calloc((size_t)argc, sizeof(*options->targets));
	if (options->targets == NULL)
		tool_stop("out of memory; name fewer programs");
	set_default_launcher(options);
	opterr = 0;
	while ((letter = getopt_long(argc, argv, ":h", known, &at)) != -1) {
		check_letter(letter, argv[optind - 1]);
		set_option(options, letter, known[at].name, optarg);
	}
	while (optind < argc)
		add_words(&options->programs, argv[optind++]);
	check_what_to_do(options);
}

static void free_words(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->texts[i]);
	free(words->texts);
}

void options_free(struct options *options)
{
	free_words(&options->loaders);
	free_words(&options->programs);
	free(options->targets);
	json_decref(options->against);
	json_decref(options->now);
}
