/* Order statistics of samples, pairs of samples, and the order of runs. Pure: no system calls. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A median and its confidence interval: with 95 % the true median lies from low to high. */
struct interval {
	double low, median, high;
};

/* With fewer samples than this even the smallest and the largest are no 95 % interval. */
#define STATISTICS_ENOUGH 6

/*
 * The interval is made of two of the samples, counted off from both ends by the binomial
 * distribution: nothing is assumed about how samples are distributed, and times are not normally.
 * With fewer than STATISTICS_ENOUGH samples it is the smallest and the largest; with none at all
 * every member is NaN. Sorts the values in place.
 */
struct interval statistics_interval(double *values, size_t count);

/* The standard deviation is that of a sample: divided by count - 1. NaN where there are too few. */
double statistics_mean(const double *values, size_t count);
double statistics_deviation(const double *values, size_t count);

/*
 * How one run compares with the native run of the same round. A slow moment of the machine then
 * affects both halves of a pair, which the ratio of two medians would not show. The result goes to
 * values. Ratios need native[i] > 0.
 */
void statistics_pair_ratios(double *values, const double *native, size_t count);
void statistics_pair_differences(double *values, const double *native, size_t count);

/* Writes a random permutation of 0 ... count - 1. The same state gives the same permutation. */
void statistics_shuffle(uint64_t *state, size_t *order, size_t count);

/* The next random number (splitmix64: Steele, Lea and Flood, 2014). Any seed will do, 0 too. */
uint64_t statistics_random(uint64_t *state);
