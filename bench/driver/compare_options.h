/* The command line of compare. */
#pragma once

#include "bench/session/sample.h"
#include "bench/driver/target.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Exit status, in addition to 0 and TOOL_STOPPED. */
#define ENDED_DIFFERENTLY 1

/* Texts after their braces are expanded. */
struct words {
	char **texts;
	size_t count;
};

struct options {
	struct words loaders, programs;
	struct target *targets;
	size_t target_count;
	size_t rounds[ROUND_KINDS];
	unsigned int timeout_s;
	uint64_t seed;
	bool matrix;			   /* a short table */
	const char *json, *csv, *markdown; /* files to write, or NULL */
	json_t *against;		   /* earlier results, or NULL */
	json_t *now; /* results to compare with them instead of running anything */
	char launcher[4096];
};

/* Reads and checks everything, so that nothing fails after minutes of measuring for a wrong word.
 */
void options_read(struct options *options, int argc, char **argv);

void options_free(struct options *options);
