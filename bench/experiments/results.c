/* Measures all rows of an experiment in random order, and makes medians and a verdict of them. */
#include "bench/experiments/results.h"
#include "bench/run/progress.h"
#include "bench/shared/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

double *results_values(const struct results *results, size_t row, size_t column)
{
	for (size_t i = 0; i < results->rounds; i++)
		results->values[i] = results->readings[i * results->row_count + row].value[column];
	return results->values;
}

const char *results_reason(const struct results *results, size_t row)
{
	for (size_t i = 0; i < results->rounds; i++) {
		const struct reading *reading = &results->readings[i * results->row_count + row];

		if (reading->reason[0] != '\0')
			return reading->reason;
	}
	return NULL;
}

static bool measure_row(struct results *results, size_t round, size_t number)
{
	const struct row *row = results->rows[number];
	struct settings settings = results->settings;

	settings.seed += round;
	settings.round = round;
	if (reading_take(&settings, row->measure, row->parameter,
			 &results->readings[round * results->row_count + number]))
		return true;
	fprintf(stderr, "%s: cannot fork: %s\n", experiment.name, strerror(errno));
	return false;
}

static bool measure_rounds(struct results *results, size_t *order)
{
	uint64_t state = results->settings.seed, start = reading_now_ns();
	size_t all = results->rounds * results->row_count;

	for (size_t round = 0; round < results->rounds; round++) {
		statistics_shuffle(&state, order, results->row_count);
		for (size_t i = 0; i < results->row_count; i++) {
			progress_show(round * results->row_count + i, all,
				      reading_now_ns() - start);
			if (!measure_row(results, round, order[i]))
				return false;
		}
	}
	progress_show(all, all, 0);
	return true;
}

static void list_rows(struct results *results)
{
	for (const struct table *table = experiment.tables; table->title != NULL; table++)
		for (const struct row *row = table->rows; row->name != NULL; row++) {
			if (results->row_count == ROWS_MAX)
				abort();
			results->tables[results->row_count] = table;
			results->rows[results->row_count++] = row;
		}
}

bool results_measure(struct results *results)
{
	size_t order[ROWS_MAX] = {0};

	list_rows(results);
	results->values = calloc(results->rounds, sizeof(*results->values));
	results->readings =
	    calloc(results->rounds * results->row_count, sizeof(*results->readings));
	if (results->values != NULL && results->readings != NULL && reading_begin())
		return measure_rounds(results, order);
	fprintf(stderr, "%s: out of memory\n", experiment.name);
	return false;
}

static size_t find_row(const struct results *results, const char *table, const char *row)
{
	for (size_t i = 0; i < results->row_count; i++)
		if (strcmp(results->tables[i]->title, table) == 0 &&
		    strcmp(results->rows[i]->name, row) == 0)
			return i;
	fprintf(stderr, "no row '%s' in '%s'\n", row, table);
	abort();
}

/*
 * Of the values whose medians a verdict has asked for, the one that scatters most; no name: none
 * scatters by more than half of its mean, which would be no basis for a verdict.
 */
struct noise {
	const char *row, *column;
	double mean, deviation;
};

/* The worst noise since results_verdict() began. */
static struct noise noise;

/*
 * A deviation of more than half of the mean is noise: the median of a few rounds says little then.
 * Counts below one do not matter.
 */
#define NOISE_MOST 0.5

static void note_noise(const char *row, const char *column, const double *values, size_t count)
{
	struct noise found = {row, column, statistics_mean(values, count),
			      statistics_deviation(values, count)};
	double worst = noise.row != NULL ? noise.deviation / noise.mean : NOISE_MOST;

	if (found.mean >= 1 && found.deviation / found.mean > worst)
		noise = found;
}

const char *results_word(size_t kept, size_t known, size_t all)
{
	if (known == 0)
		return "It cannot be said";
	if (kept == all)
		return "It holds";
	return kept == 0 ? "It does not hold" : "It holds in part";
}

char *results_verdict(const struct results *results)
{
	char *text = NULL, *all = NULL;
	size_t length;
	FILE *memory = open_memstream(&text, &length);

	if (memory == NULL)
		return NULL;
	noise = (struct noise){.row = NULL};
	experiment.holds(results, memory);
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
		      size_t column)
{
	size_t number = find_row(results, table, row);
	double *values = results_values(results, number, column);

	if (isnan(statistics_mean(values, results->rounds)))
		return NAN;
	note_noise(row, results->tables[number]->columns[column].name, values, results->rounds);
	return statistics_interval(values, results->rounds).median;
}
