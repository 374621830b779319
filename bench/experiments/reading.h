/*
 * One measurement of one row of an experiment, and the functions that it may call. A child process
 * makes each measurement, so that page tables, peak RSS, seccomp filters and crashes of one row
 * never reach another.
 */
#pragma once

#include "bench/shared/counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

/* The user's options. */
struct settings {
	size_t bytes;	    /* of memory to work on: a multiple of 2 MiB */
	uint64_t seed;	    /* of this round, for random access */
	size_t round;	    /* from 0 on */
	const char *folder; /* for reading_file */
};

/*
 * An experiment with many columns has them in one list: COLUMN(number, name, decimals) for each.
 * From the list come the numbers, which are indexes of reading.value, and the table's columns.
 */
#define COLUMN_NUMBER(number, name, decimals)	number,
#define COLUMN_IN_TABLE(number, name, decimals) {name, decimals},

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

/* Fills the reading in; runs in a child process that may exit, crash or change whatever it likes.
 */
typedef void row_measure(const struct settings *settings, const void *parameter,
			 struct reading *reading);

/* CLOCK_MONOTONIC, in nanoseconds. */
uint64_t reading_now_ns(void);

/*
 * A new file of that size, without a name and full of holes; a descriptor. Only inside row_measure:
 * it ends the child when there is no room.
 */
int reading_file(const struct settings *settings, size_t bytes);

/* The memory that the machine has to give, in bytes. Only inside row_measure. */
size_t reading_available(void);

/*
 * Ends the row, with a reason, if less memory is available: a child that the kernel killed for want
 * of memory could not say why. Only inside row_measure.
 */
void reading_need_memory(size_t bytes);

/* Makes the calling thread, and the processes that it forks, run on that processor alone. */
void reading_stay_on(size_t cpu);

/*
 * The same, on the processor where it runs now. A wake-up is then a context switch. With two
 * processors it would be an interrupt of the other one, which costs more in a virtual machine.
 */
void reading_stay_here(void);

/* The column's value from a counter, divided by `unit`. If the counter is absent, so is the value.
 */
void reading_count(struct reading *reading, size_t column, const struct counts *counts,
		   enum counter counter, double unit);

/* Milliseconds between two times of struct rusage. */
double reading_ms(struct timeval from, struct timeval to);

/* Says why and ends the child; all values of the reading become absent. Only inside row_measure. */
_Noreturn void reading_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Call this once, before the first reading_take. Returns false if there is no memory. */
bool reading_begin(void);

/*
 * Fills the reading in; of a child process that crashed or failed, the reading has the reason
 * alone. False, with errno set, where there can be no child.
 */
bool reading_take(const struct settings *settings, row_measure *measure, const void *parameter,
		  struct reading *reading);
