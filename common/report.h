/*
 * What the loader says on standard error. Each message is one line and one write, so that it is
 * never mixed with the program's own output. Host code only.
 */
#ifndef COMMON_REPORT_H
#define COMMON_REPORT_H

#include "common/error.h"

#include <stdio.h>

/* Sets the names that begin each line; they must stay valid. program may be NULL. */
void report_begin(const char *loader, const char *program, bool verbose);

/* `LOADER: PROGRAM: text`, with --verbose only. Whether that is on: what makes the text costs time.
 */
bool report_is_verbose(void);
void report_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* `LOADER: PROGRAM: text`, always. */
void report_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same; returns the status to exit with. */
int report_error(const struct error *error);

/*
 * Standard output, to be closed by report_close(). Not `stdout`, whose
 * buffer would lie among the loader's variables and cost a page fault at every start. May be NULL.
 */
FILE *report_output(void);

/* Closes a file that was written. Whether all of it could be; errno is that of the closing. */
bool report_close(FILE *file);

#endif
