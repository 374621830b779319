/*
 * The command line of every experiment, and the order in which things are done. An experiment is
 * tables of rows and columns, in a file of its own. Every row is measured several times, in rounds
 * of random order.
 */
#include "bench/experiments/results_report.h"
#include "bench/shared/tool.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void print_usage(void)
{
	printf("Usage: %s [OPTION]...\n%s\n\n"
	       "      --size=MIB     memory to work on (%lu)\n"
	       "      --rounds=N     times that every row is measured (%lu)\n"
	       "      --seed=N       of the order of rows and of random access (from the clock)\n"
	       "      --folder=PATH  where files without a name are made (TMPDIR or /var/tmp)\n"
	       "      --json=FILE    write every single value and the environment there\n"
	       "  -h, --help\n\n"
	       "Exit status: 0; 125 when it could not measure. What a machine does not have or\n"
	       "does not permit is shown as absent, with the reason.\n",
	       experiment.name, experiment.summary, experiment.default_mib,
	       experiment.default_rounds);
}

static void set_option(struct results *results, int letter, const char *name, const char *value,
		       const char **json)
{
	if (letter == 's') {
		results->settings.bytes = tool_number(name, value, 2, 1ul << 24) / 2 * 2 << 20;
	} else if (letter == 'r') {
		results->rounds = tool_number(name, value, 1, 100000);
	} else if (letter == 'e') {
		results->settings.seed = tool_number(name, value, 0, LONG_MAX);
	} else if (letter == 'f') {
		results->settings.folder = value;
	} else if (letter == 'j') {
		*json = value;
	} else {
		if (letter == 'h')
			print_usage();
		else
			fprintf(stderr, "Try --help.\n");
		exit(letter == 'h' ? 0 : TOOL_STOPPED);
	}
}

static const char *read_options(struct results *results, int argc, char **argv)
{
	static const struct option known[] = {
	    {"size", required_argument, NULL, 's'},
	    {"rounds", required_argument, NULL, 'r'},
	    {"seed", required_argument, NULL, 'e'},
	    {"folder", required_argument, NULL, 'f'},
	    {"json", required_argument, NULL, 'j'},
	    {"help", no_argument, NULL, 'h'},
	    {NULL, 0, NULL, 0},
	};
	const char *json = NULL;
	int letter, at = 0;

	while ((letter = getopt_long(argc, argv, "h", known, &at)) != -1)
		set_option(results, letter, known[at].name, optarg, &json);
	if (optind < argc)
		tool_stop("takes options only, not '%s'", argv[optind]);
	tool_check_file(json);
	return json;
}

/* A file-backed mapping should be of a real file system, and /tmp is often in memory. */
static const char *default_folder(void)
{
	const char *set = getenv("TMPDIR");

	return set != NULL && set[0] != '\0' ? set : "/var/tmp";
}

/* Exit status: 0, or 125 for wrong usage and when nothing could be measured or written. */
int main(int argc, char **argv)
{
	struct results results = {
	    .rounds = experiment.default_rounds,
	    .settings = {.bytes = experiment.default_mib << 20,
			 .seed = (uint64_t)time(NULL),
			 .folder = default_folder()},
	};
	const char *json;

	tool_name = experiment.name;
	json = read_options(&results, argc, argv);
	environment_read(&results.environment);
	if (!results_measure(&results))
		return TOOL_STOPPED;
	results_print(&results, stdout);
	if (json != NULL && !results_write_json(&results, json))
		tool_cannot_write(json);
	return 0;
}
