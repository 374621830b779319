/*
 * Errors are values. A function that can fail returns false and fills in its struct error: one
 * sentence that says what was wrong, and the status with which the process exits. Only main exits.
 */
#pragma once

#include <stdbool.h>

/* The loader's own exit statuses, as those of env(1); every other status is the guest's. */
enum exit_status {
	EXIT_OURS = 125,	 /* wrong usage, or a failure inside the loader */
	EXIT_NOT_LOADABLE = 126, /* the program was found but cannot be run */
	EXIT_NOT_FOUND = 127,	 /* there is no such program */
};

struct error {
	enum exit_status status;
	char text[512]; /* one sentence without a full stop or newline; too long text is cut */
};

/* What the user can do about an error: many sentences end with one of these. */
#define ERROR_DAMAGED "the file is damaged; build it or copy it again"
#define ERROR_CUT_OFF "the file is cut off; build it or copy it again"
#define ERROR_NO_EXECUTABLE_MEMORY                                                                 \
	"lift the ban on memory made executable (MemoryDenyWriteExecute=, PR_SET_MDWE)"

/* Fills in *error and returns false, so that a failed check reads `return error_set(...)`. */
bool error_set(struct error *error, enum exit_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends to the sentence, as far as there is room. */
void error_add(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prepends the subject of the sentence. */
void error_about(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Like error_set(), for a failed allocation: "no memory WHAT: ", the reason from errno, and a
 * remedy.
 */
bool error_no_memory(struct error *error, const char *what, ...)
    __attribute__((format(printf, 2, 3)));

/* A remedy if allocating memory, or writing a file, failed for this reason: "raise ...". */
const char *error_memory_remedy(void);
const char *error_file_remedy(int reason);
