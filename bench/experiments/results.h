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
	const char *title; /* NULL after the last table */
	const struct column *columns;
	const struct row *rows;
	enum show show;
};

struct results;

/* A program has one, with this name; its main() is experiment.c's. */
extern const struct experiment {
	const char *name, *summary; /* a word; a line */
	const char *found;	    /* what the source found, with its figures: one sentence */
	struct table tables[3];
	unsigned long default_mib, default_rounds;
	/* Writes one sentence: whether the finding holds here, with the figures measured. */
	void (*holds)(const struct results *results, FILE *out);
} experiment;

#define ROWS_MAX 64

/* All rounds of all rows: readings[round * row_count + row], rows counted through all tables. */
struct results {
	struct environment environment;
	struct settings settings;
	size_t rounds, row_count;
	const struct table *tables[ROWS_MAX]; /* of each row */
	const struct row *rows[ROWS_MAX];
	struct reading *readings;
	double *values; /* room for those of all rounds */
};

/* One row's values in one column, a round each. They stay until the next call. */
double *results_values(const struct results *results, size_t row, size_t column);

/* Why the row has absent values: the first reason of any round, or NULL. */
const char *results_reason(const struct results *results, size_t row);

/* Runs all rounds. The progress goes to a terminal only. False, with a message, when it cannot. */
bool results_measure(struct results *results);

/*
 * The median of all rounds; NaN when it is absent in any of them. Names are those of the tables;
 * a wrong one is a mistake in the experiment, and aborts.
 */
double results_median(const struct results *results, const char *table, const char *row,
		      size_t column);

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
