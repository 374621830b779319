/* Measures all rows of an experiment in random order, and makes medians and a verdict of them. */
#include "bench/experiments/results.h"
#include "bench/run/progress.h"
#include "bench/shared/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t table_columns(const struct table *table)
{
	size_t count = 0;

	while (table->columns[count].name[0] != '\0')
		count++;
	return count;
}

size_t table_rows(const struct table *table)
{
	size_t count = 0;

	while (table->rows[count].name != NULL)
		count++;
	return count;
}

size_t results_first_row(const struct results *results, size_t table)
{
	size_t first = 0;

	for (size_t i = 0; i < table; i++)
		first += table_rows(&results->experiment->tables[i]);
	return first;
}

void results_values(const struct results *results, size_t row, size_t column, double *values)
{
	for (size_t i = 0; i < results->rounds; i++)
		values[i] = results->readings[i * results->row_count + row].value[column];
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

static const struct row *find_row(const struct experiment *experiment, size_t number)
{
	const struct table *table = experiment->tables;

	while (number >= table_rows(table))
		number -= table_rows(table++);
	return &table->rows[number];
}

static bool measure_row(struct results *results, size_t round, size_t number)
{
	const struct row *row = find_row(results->experiment, number);
	struct settings settings = results->settings;

	settings.seed += round;
	if (reading_take(&settings, row->measure, row->parameter,
			 &results->readings[round * results->row_count + number]))
		return true;
	fprintf(stderr, "%s: cannot fork: %s\n", results->experiment->name, strerror(errno));
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

bool results_measure(struct results *results)
{
	size_t *order;
	bool done = false;

	results->row_count = results_first_row(results, results->experiment->table_count);
	order = calloc(results->row_count, sizeof(*order));
	results->readings =
	    calloc(results->rounds * results->row_count, sizeof(*results->readings));
	if (order == NULL || results->readings == NULL || !reading_begin())
		fprintf(stderr, "%s: out of memory\n", results->experiment->name);
	else
		done = measure_rounds(results, order);
	free(order);
	return done;
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
