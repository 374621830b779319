/* Figures that a loader is meant to reach, and whether it did. A missed one is no failure. */
#ifndef BENCH_TARGET_H
#define BENCH_TARGET_H

#include "bench/session.h"

#include <stdio.h>

struct target {
	enum measure measure;
	enum view view; /* a ratio to native, or a difference from it */
	double limit;	/* reached at or below it */
	const char *loader, *program;
	size_t command; /* in the session; the caller's to set */
};

/*
 * Reads "MEASURE:LIMIT:LOADER:PROGRAM", where MEASURE is wall, with LIMIT a ratio to native, or
 * rss, with LIMIT in KB above native. Cuts the text into pieces that the target points into. NULL,
 * or what is wrong with the text.
 */
const char *target_parse(char *text, struct target *target);

/* "met", "missed by 0.120x" or "missed by 40 KB". */
#define TARGET_VERDICT_LENGTH 32
void target_verdict(const struct target *target, double measured, char text[TARGET_VERDICT_LENGTH]);

/* One line a target: what, the measured median with its 95 % interval, the limit and the verdict.
 */
void target_print(FILE *out, const struct session *session, const struct target *targets,
		  size_t count);

#endif
