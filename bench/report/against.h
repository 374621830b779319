/* Two files of results: what changed beyond the noise. */
#pragma once

#include <jansson.h>
#include <stdio.h>

/*
 * For each command in both, the ratio to native and the peak RSS, or the wall time of a native run.
 * Prints a line if the 95 % intervals do not overlap, and how many did not change. Counts commands
 * that are in one of the two only. Returns how many changed, or -1 if a value is not a file of
 * results.
 */
int against_print(FILE *out, const json_t *before, const json_t *now);
