/* The command line of every experiment, and what its rows and its sentence may call. */
#include "bench/experiments/results.h"
#include "bench/shared/statistics.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CANNOT_MEASURE = 2 };

uint64_t experiment_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static size_t column_number(const struct table *table, const char *name)
{
	for (size_t i = 0; table->columns[i].name[0] != '\0'; i++)
		if (strcmp(table->columns[i].name, name) == 0)
			return i;
	fprintf(stderr, "no column '%s' in '%s'\n", name, table->title);
	abort();
}

static size_t row_number(const struct table *table, const char *name)
{
	for (size_t i = 0; table->rows[i].name != NULL; i++)
		if (strcmp(table->rows[i].name, name) == 0)
			return i;
	fprintf(stderr, "no row '%s' in '%s'\n", name, table->title);
	abort();
}

/* The worst since a verdict began to be made. */
static struct noise noise;

/* More than half of its mean: then the median of a few rounds says little. Counts below one are no
 * matter. */
#define NOISE_MOST 0.5

static void note_noise(const char *row, const char *column, const double *values, size_t count)
{
	struct noise found = {row, column, statistics_mean(values, count),
			      statistics_deviation(values, count)};
	double worst = noise.row != NULL ? noise.deviation / noise.mean : NOISE_MOST;

	if (found.mean >= 1 && found.deviation / found.mean > worst)
		noise = found;
}

char *experiment_verdict(const struct results *results)
{
	char *text = NULL, *all = NULL;
	size_t length;
	FILE *memory = open_memstream(&text, &length);

	if (memory == NULL)
		return NULL;
	noise = (struct noise){.row = NULL};
	results->experiment->holds(results, memory);
	fclose(memory);
	if (noise.row == NULL)
		return text;
	if (asprintf(&all,
		     "Too noisy to say: %s, %s, is %.4g +- %.4g over %zu rounds; make ROUNDS "
		     "larger, or the "
		     "machine idle. By the medians alone: %s",
		     noise.row, noise.column, noise.mean, noise.deviation, results->rounds,
		     text) < 0)
		all = NULL;
	free(text);
	return all;
}

double results_median(const struct results *results, const char *table, const char *row,
		      const char *column)
{
	const struct experiment *experiment = results->experiment;
	double *values = calloc(results->rounds, sizeof(*values));
	size_t at = 0, number;
	double median = NAN;

	while (at < experiment->table_count && strcmp(experiment->tables[at].title, table) != 0)
		at++;
	if (at == experiment->table_count || values == NULL) {
		fprintf(stderr, "no table '%s', or no memory\n", table);
		abort();
	}
	number = results_first_row(results, at) + row_number(&experiment->tables[at], row);
	results_values(results, number, column_number(&experiment->tables[at], column), values);
	for (size_t i = 0; i < results->rounds; i++)
		if (isnan(values[i])) {
			free(values);
			return NAN;
		}
	note_noise(row, column, values, results->rounds);
	median = statistics_interval(values, results->rounds).median;
	free(values);
	return median;
}

static void print_usage(const struct experiment *experiment)
{
	printf("Usage: %s [OPTION]...\n%s\n\n"
	       "      --size=MIB     memory to work on (%lu)\n"
	       "      --rounds=N     times that every row is measured (%lu)\n"
	       "      --seed=N       of the order of rows and of random access (from the clock)\n"
	       "      --folder=PATH  where files without a name are made (TMPDIR or /var/tmp)\n"
	       "      --json=FILE    write every single value and the environment there\n"
	       "  -h, --help\n\n"
	       "Exit status: 0; 2 when it could not measure. What a machine does not have or does\n"
	       "not permit is shown as absent, with the reason.\n",
	       experiment->name, experiment->summary, experiment->default_mib,
	       experiment->default_rounds);
}

static unsigned long number(const struct experiment *experiment, const char *option,
			    const char *text, unsigned long least, unsigned long most)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (end == text || *end != '\0' || *text == '-' || errno != 0 || value < least ||
	    value > most) {
		fprintf(stderr, "%s: --%s is a number from %lu to %lu, not '%s'\n",
			experiment->name, option, least, most, text);
		exit(CANNOT_MEASURE);
	}
	return value;
}

static void set_option(struct results *results, int letter, const char *name, const char *value,
		       const char **json)
{
	const struct experiment *experiment = results->experiment;

	if (letter == 's') {
		results->settings.bytes = number(experiment, name, value, 2, 1ul << 24) / 2 * 2
					  << 20;
	} else if (letter == 'r') {
		results->rounds = number(experiment, name, value, 1, 100000);
	} else if (letter == 'e') {
		results->settings.seed = number(experiment, name, value, 0, LONG_MAX);
	} else if (letter == 'f') {
		results->settings.folder = value;
	} else if (letter == 'j') {
		*json = value;
	} else {
		if (letter == 'h')
			print_usage(experiment);
		else
			fprintf(stderr, "Try --help.\n");
		exit(letter == 'h' ? 0 : CANNOT_MEASURE);
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
	if (optind < argc) {
		fprintf(stderr, "%s: takes options only, not '%s'\n", results->experiment->name,
			argv[optind]);
		exit(CANNOT_MEASURE);
	}
	return json;
}

/* /tmp is often in memory; a file-backed mapping should be of a real file system. */
static const char *default_folder(void)
{
	const char *set = getenv("TMPDIR");

	return set != NULL && set[0] != '\0' ? set : "/var/tmp";
}

int experiment_main(const struct experiment *experiment, int argc, char **argv)
{
	struct results results = {
	    .experiment = experiment,
	    .rounds = experiment->default_rounds,
	    .settings = {.bytes = experiment->default_mib << 20,
			 .seed = (uint64_t)time(NULL),
			 .folder = default_folder()},
	};
	const char *json = read_options(&results, argc, argv);

	environment_read(&results.environment);
	if (!results_measure(&results))
		return CANNOT_MEASURE;
	results_print(&results, stdout);
	if (json != NULL && !results_write_json(&results, json)) {
		fprintf(stderr, "%s: cannot write %s: %s\n", experiment->name, json,
			strerror(errno));
		return CANNOT_MEASURE;
	}
	free(results.readings);
	return 0;
}
