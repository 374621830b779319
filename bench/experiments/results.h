/* The tables of an experiment, what was measured for them, and what follows from that. */
#pragma once

#include "bench/shared/environment.h"
#include "bench/experiments/reading.h"

#include <stdio.h>

struct column {
	const char *name; /* with its unit, as in "ns a page"; "" after the last column */
	int decimals;
};

struct row {
	const char *name; /* unique in its table; NULL after the last row */
	row_measure *measure;
	const void *parameter;
	double predicted; /* in the first column, from what is known; 0: no prediction */
};

/* The values of a row that a table shows. The JSON file has the value of every round. */
enum show { SHOW_MEDIAN, SHOW_MEAN_AND_DEVIATION };

struct table {
	const char *title;
	const struct column *columns;
	const struct row *rows;
	enum show show;
};

struct results;

struct experiment {
	const char *name, *summary; /* a word; a line */
	const char *found;	    /* what the source found, with its figures: one sentence */
	const struct table *tables; /* table_count of them */
	size_t table_count;
	unsigned long default_mib, default_rounds;
	/* Writes one sentence: whether the finding holds here, with the figures measured. */
	void (*holds)(const struct results *results, FILE *out);
};

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

/*
 * The median of all rounds; NaN when it is absent in any of them. Names are those of the tables;
 * a wrong one is a mistake in the experiment, and aborts.
 */
double results_median(const struct results *results, const char *table, const char *row,
		      const char *column);

/*
 * The verdict's first words: `kept` of `all` parts of the finding hold, and `known` could be
 * measured.
 */
const char *results_word(size_t kept, size_t known, size_t all);

/*
 * What an experiment says of itself here, in one sentence; after a word of the noise, if there is
 * too much noise. Frees nothing; the result is malloc's, or NULL without memory.
 */
char *results_verdict(const struct results *results);
