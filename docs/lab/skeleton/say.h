/*
 * say: ends the pager with one line on standard error. Given; nothing to do here.
 */
#ifndef SAY_H
#define SAY_H

#include <stdnoreturn.h>

enum {
	STATUS_FAILED = 125,	   /* wrong usage, or the pager itself failed */
	STATUS_NOT_LOADABLE = 126, /* the file is there, but is no program for this pager */
	STATUS_NOT_FOUND = 127,
};

/* "apager: WHAT: WHY", and exits. Before the jump only. */
noreturn void stop(int status, const char *what, const char *why);

/* "apager: step 2 is missing: bring_in() in pages.c (see ...)", and exits with 125. */
noreturn void missing(int step, const char *what, const char *chapter);

#endif
