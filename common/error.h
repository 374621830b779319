/*
 * Errors are values: a function that can fail returns false and leaves in its struct error what
 * was wrong, in one sentence, and the status the process is to exit with. Only main exits.
 */
#ifndef COMMON_ERROR_H
#define COMMON_ERROR_H

#include <stdbool.h>

/* Exit statuses of our own, as env(1) has them; every other status is the guest's. */
enum exit_status {
	EXIT_OURS = 125,	 /* wrong usage, or something failed inside the loader */
	EXIT_NOT_LOADABLE = 126, /* the program was found but cannot be run */
	EXIT_NOT_FOUND = 127,	 /* there is no such program */
};

struct error {
	enum exit_status status;
	char text[512]; /* one sentence without a full stop or newline; cut, never overrun */
};

/* Fills *error and returns false, so that a failed check reads `return error_set(...)`. */
bool error_set(struct error *error, enum exit_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
