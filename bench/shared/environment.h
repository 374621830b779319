/* The machine on which samples were taken. Without it samples cannot be compared with others. */
#pragma once

#include <stdio.h>

struct environment {
	char cpu[128], kernel[160]; /* "" where the machine does not say */
	char thp[32];		    /* transparent huge pages: always, madvise or never */
	char governor[32];	    /* of the first CPU's frequency */
	char mitigations[256];	    /* of CPU vulnerabilities in force: "meltdown spectre_v2" */
	char date[32];		    /* UTC, ISO 8601 */
	long cpus, memory_kb;	    /* -1 where the machine does not say */
	double megahertz;	    /* of the first CPU, now; -1 where the machine does not say */
	double load;		    /* processors that others keep busy; -1: unknown */
};

void environment_read(struct environment *environment);

/* Three lines for people. */
void environment_print(FILE *out, const struct environment *environment);
