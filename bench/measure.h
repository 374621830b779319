/* Runs one command through the launcher and brings its measurements back. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench/sample.h"

#include <stdbool.h>

struct launcher {
	const char *path;
	unsigned int timeout_s; /* after which a program is killed; 0: never */
};

/*
 * Runs argv[0], a path, with /dev/null as its standard input, output and error; with no word in
 * argv the launcher alone. Measures either its memory or its time. False with errno set when it
 * could not be started at all; how it ended is in the sample.
 */
bool measure_run(const struct launcher *launcher, char *const argv[], bool memory,
		 struct run_sample *sample);

#endif
