/* Two files of results: what changed beyond the noise. */
#pragma once

#include <jansson.h>
#include <stdio.h>

/*
 * For each command in both, the ratio to native and the peak RSS, or the wall time of a native run:
 * a line when the 95 % intervals do not overlap, and how many did not change. Commands in one of
 * the two only are counted. Returns how many changed; -1 when a value is no file of results.
 */
int against_print(FILE *out, const json_t *before, const json_t *now);
