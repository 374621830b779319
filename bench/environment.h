/* The machine on which samples were taken: without it nobody can compare them with others. */
#ifndef BENCH_ENVIRONMENT_H
#define BENCH_ENVIRONMENT_H

#include <stdio.h>

struct environment {
	char cpu[128], kernel[160]; /* "" where the machine does not say */
	char thp[32];		    /* transparent huge pages: always, madvise or never */
	char date[32];		    /* UTC, ISO 8601 */
	long cpus, memory_kb;	    /* -1 where the machine does not say */
};

void environment_read(struct environment *environment);

/* Two lines for people. */
void environment_print(FILE *out, const struct environment *environment);

#endif
