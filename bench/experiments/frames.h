/* The experiment frames: one run of a program under a loader. */
#pragma once

#include "bench/experiments/reading.h"

enum frames_column { LEAST, MEAN, DEVIATION, L1D_MISSES, DTLB_MISSES };

/* How many iterations do not count, and how many do. */
#define WARM_UP	   "3"
#define ITERATIONS "15"

struct frames_way {
	const char *options[2]; /* of the loader; NULL: none */
};

row_measure frames_measure;
