/* Order statistics of samples, pairs of samples, and the order of runs. Pure: no system calls. */
#ifndef BENCH_STATISTICS_H
#define BENCH_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

struct quartiles {
	double low, median, high;
};

/*
 * Interpolated between neighbours, as most statistics packages do it. Sorts the values in place;
 * with none at all every member is NaN.
 */
struct quartiles statistics_quartiles(double *values, size_t count);

/*
 * How one run compares with the native run of its own round. A slow moment of the machine then
 * hits both halves of a pair, which the ratio of two medians would not notice. The result goes to
 * values. Ratios need native[i] > 0.
 */
void statistics_pair_ratios(double *values, const double *native, size_t count);
void statistics_pair_differences(double *values, const double *native, size_t count);

/* Writes a random permutation of 0 ... count - 1. The same state gives the same permutation. */
void statistics_shuffle(uint64_t *state, size_t *order, size_t count);

#endif
