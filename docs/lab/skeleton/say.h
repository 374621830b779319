/*
 * say: ends the pager with one line on standard error. You need not change this file.
 */
#pragma once

#include <stdnoreturn.h>

enum {
	STATUS_FAILED = 125,	   /* wrong usage, or the pager itself failed */
	STATUS_NOT_LOADABLE = 126, /* the file is there, but this pager cannot load it */
	STATUS_NOT_FOUND = 127,
};

/* Prints "apager: WHAT: WHY" and exits. Call it before the jump only. */
noreturn void stop(int status, const char *what, const char *why);

/* Prints "apager: step 2 is missing: bring_in() in pages.c (see ...)" and exits with 125. */
noreturn void missing(int step, const char *what, const char *chapter);
