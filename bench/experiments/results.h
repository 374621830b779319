/* What an experiment measured, between the files that measure it and those that show it. */
#ifndef BENCH_EXPERIMENT_RESULTS_H
#define BENCH_EXPERIMENT_RESULTS_H

#include "bench/shared/environment.h"
#include "bench/experiments/experiment.h"

/* All rounds of all rows: readings[round * row_count + row], rows counted through all tables. */
struct results {
	const struct experiment *experiment;
	struct environment environment;
	struct settings settings;
	size_t rounds, row_count;
	struct reading *readings;
};

/* The number of columns or rows up to the last, which is the one without a name. */
size_t table_columns(const struct table *table);
size_t table_rows(const struct table *table);

/* The number, through all tables, of a table's first row. */
size_t results_first_row(const struct results *results, size_t table);

/* One row's values in one column, a round each. The array has room for all rounds. */
void results_values(const struct results *results, size_t row, size_t column, double *values);

/* Why the row has absent values: the first reason of any round, or NULL. */
const char *results_reason(const struct results *results, size_t row);

/* Runs all rounds. The progress goes to a terminal only. False, with a message, when it cannot. */
bool results_measure(struct results *results);

/* The tables, and the two sentences, for people. */
void results_print(const struct results *results, FILE *out);

/* False, with errno set, when the file cannot be written. */
bool results_write_json(const struct results *results, const char *path);

#endif
