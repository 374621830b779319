/* The statistics of a run that a loader writes to the file of --stats=FILE. */
#pragma once

#include "bench/session/sample.h"

/* Sets the measures of ROUND_statistics, or makes them absent when there is no such file. */
void loader_statistics_read(const char *path, struct run_sample *sample);
