/* What a loader says of a run in the file that --stats=FILE names. */
#pragma once

#include "bench/session/sample.h"

/* Sets the measures of ROUND_statistics, or makes them absent when there is no such file. */
void loader_statistics_read(const char *path, struct run_sample *sample);
