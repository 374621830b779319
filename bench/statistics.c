/* Order statistics of samples, pairs of samples, and the order of runs. Pure: no system calls. */
#include "bench/statistics.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

static double quantile(const double *sorted, size_t count, double fraction)
{
	double position = fraction * (double)(count - 1);
	size_t below = (size_t)position;
	size_t above = below + 1 < count ? below + 1 : below;

	return sorted[below] + (position - (double)below) * (sorted[above] - sorted[below]);
}

struct quartiles statistics_quartiles(double *values, size_t count)
{
	if (count == 0)
		return (struct quartiles){NAN, NAN, NAN};
	qsort(values, count, sizeof(*values), compare_doubles);
	return (struct quartiles){
	    .low = quantile(values, count, 0.25),
	    .median = quantile(values, count, 0.5),
	    .high = quantile(values, count, 0.75),
	};
}

void statistics_pair_ratios(double *values, const double *native, size_t count)
{
	for (size_t i = 0; i < count; i++)
		values[i] /= native[i];
}

void statistics_pair_differences(double *values, const double *native, size_t count)
{
	for (size_t i = 0; i < count; i++)
		values[i] -= native[i];
}

/* splitmix64 (Steele, Lea and Flood, 2014): any seed will do, 0 too. */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* The remainder is not quite fair, by less than count / 2^64. */
static size_t random_below(uint64_t *state, size_t limit)
{
	return (size_t)(random_next(state) % limit);
}

void statistics_shuffle(uint64_t *state, size_t *order, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t other = random_below(state, i + 1);

		order[i] = order[other];
		order[other] = i;
	}
}
