/* Runs one command through the launcher and brings its measurements back. */
#pragma once

#include "bench/session/session.h"

#include <stdbool.h>

struct launcher {
	const char *path;
	unsigned int timeout_s; /* after which a program is killed; 0: never */
	const char *statistics; /* a file that loaders may write theirs to */
};

/*
 * Runs the command's argv[0], a path, with /dev/null as its standard input, output and error; with
 * no word in argv the launcher alone. False with errno set when it could not be started at all; how
 * it ended is in the sample. In a round for statistics a loader is given --stats=FILE after its
 * other options, and a native run is not made.
 */
bool measure_run(const struct launcher *launcher, const struct command *command,
		 enum round_kind kind, struct run_sample *sample);
