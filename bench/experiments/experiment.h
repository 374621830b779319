/*
 * What all experiments share. An experiment is tables of rows and columns. Every row is measured
 * several times, in rounds of random order, and each time by a child process of its own: page
 * tables, peak RSS, seccomp filters and crashes of one row never reach another.
 *
 * An experiment's file describes its tables and ends in
 *
 *	int main(int argc, char **argv) { return experiment_main(&experiment, argc, argv); }
 *
 * experiment_main reads the options, measures, prints the tables and what the source found beside
 * what was found here, and writes JSON.
 */
#ifndef BENCH_EXPERIMENT_H
#define BENCH_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What the user asked for. */
struct settings {
	size_t bytes;	    /* of memory to work on: a multiple of 2 MiB */
	uint64_t seed;	    /* of this round, for random access */
	const char *folder; /* for experiment_file */
};

#define READING_COLUMNS 24
#define READING_REASON	128

/*
 * One measurement of one row: a value a column, NaN at first. A value that stays NaN is absent,
 * and then the reason says why: nothing is ever 0 because it could not be measured.
 */
struct reading {
	double value[READING_COLUMNS];
	char reason[READING_REASON];
};

/* Gives the reason why values are absent. The first one counts. */
void reading_absent(struct reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

struct column {
	const char *name; /* with its unit, as in "ns a page"; "" behind the last column */
	int decimals;
};

/* Fills the reading in; runs in a child process that may exit, crash or change whatever it likes.
 */
typedef void row_measure(const struct settings *settings, const void *parameter,
			 struct reading *reading);

struct row {
	const char *name; /* unique in its table; NULL behind the last row */
	row_measure *measure;
	const void *parameter;
	double predicted; /* in the first column, from what is known; 0: no prediction */
};

/* How a table shows its rounds. JSON has every single value. */
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
	/* Writes one sentence: whether it holds here, with the figures measured. */
	void (*holds)(const struct results *results, FILE *out);
};

/*
 * Of the values whose medians a verdict has asked for, the one that scatters most; no name: none
 * scatters by more than half of its mean, which would be no basis for a verdict.
 */
struct noise {
	const char *row, *column;
	double mean, deviation;
};

/*
 * What an experiment says of itself here, in one sentence; behind the noise, if that is too much.
 * Frees nothing; the result is malloc's, or NULL without memory.
 */
char *experiment_verdict(const struct results *results);

/*
 * The median of all rounds; NaN when it is absent in any of them. Names are those of the tables;
 * a wrong one is a mistake in the experiment, and aborts.
 */
double results_median(const struct results *results, const char *table, const char *row,
		      const char *column);

/* Exit status: 0, or 2 for wrong usage and when nothing could be measured or written. */
int experiment_main(const struct experiment *experiment, int argc, char **argv);

/* CLOCK_MONOTONIC, in nanoseconds. */
uint64_t experiment_now_ns(void);

/*
 * A new file of that size, without a name and full of holes; a descriptor. Only inside row_measure:
 * it ends the child when there is no room.
 */
int experiment_file(const struct settings *settings, size_t bytes);

/* Says why and ends the child; all values of the reading become absent. Only inside row_measure. */
_Noreturn void experiment_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
