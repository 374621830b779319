/*
 * Messages of the loader on standard error. Each message is one line and one write, so that it is
 * never mixed with the program's own output. Host code only.
 */
#pragma once

#include "common/error.h"

#include <stdint.h>
#include <stdio.h>

/* Sets the names that start each line; they must stay valid. `program` may be NULL. */
void report_begin(const char *loader, const char *program, bool verbose);

/*
 * report_detail() writes `LOADER: PROGRAM: text`, only with --verbose. report_is_verbose() saves
 * callers the time for a text that will not be printed.
 */
bool report_is_verbose(void);
void report_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes `LOADER: PROGRAM: text`, always. */
void report_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes an error as report_warning() does, and returns the exit status. */
int report_error(const struct error *error);

/*
 * Opens standard output; report_close() closes it. The C library's `stdout` is not used: its buffer
 * would be among the loader's variables and cost a page fault at every start. May return NULL.
 */
FILE *report_output(void);

/* The ending of a noun after this number. */
static inline const char *plural(uint64_t number)
{
	return number == 1 ? "" : "s";
}

/* The exit status after output: 0 if it is whole, or else that of an error, which is reported;
 * errno has its reason. */
int report_written(bool whole);

/*
 * The exit status of a tool that prints to standard output. Reports the error of a run that was not
 * good; otherwise flushes the output, as for report_written().
 */
int report_exit_status(bool good, const struct error *error);

/* Closes a file. Returns false if not all of it could be written; errno is that of the closing. */
bool report_close(FILE *file);
