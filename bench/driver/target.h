/* Figures that a loader is meant to reach, and whether it did. A missed one is no failure. */
#pragma once

#include "bench/session/session.h"

#include <stdio.h>

struct target {
	enum measure measure;
	enum view view; /* a ratio to native, or a difference from it */
	double limit;	/* reached at or below it */
	const char *loader, *program;
	const char *baseline; /* a loader to compare with; NULL: the native run */
	bool is_mean; /* of all targets of the same loader and measure; the program is a title */
	size_t command,
	    other; /* in the session, and what that is compared with; target_add sets both */
};

/*
 * Reads "MEASURE:LIMIT:LOADER:PROGRAM", where MEASURE is wall or cpu, with LIMIT a ratio to native,
 * or rss, with LIMIT in KB above native. MEASURE/BASELINE compares with the program under that
 * loader. mean-MEASURE:LIMIT:LOADER:TITLE is the geometric mean over all programs that have a
 * target under the loader. Cuts the text into pieces that the target points into. NULL, or what is
 * wrong with the text.
 */
const char *target_parse(char *text, struct target *target);

/* Adds what the target needs to a session. False: out of memory. */
bool target_add(struct target *target, struct session *session);

/* "met", "missed by 0.120x" or "missed by 40 KB". */
#define TARGET_VERDICT_LENGTH 32
void target_verdict(const struct target *target, double measured, char text[TARGET_VERDICT_LENGTH]);

/* One line a target: what, the measured median with its 95 % interval, the limit and the verdict.
 */
void target_print(FILE *out, const struct session *session, const struct target *targets,
		  size_t count);
