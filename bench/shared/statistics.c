/* Order statistics of samples, pairs of samples, and the order of runs. Pure: no system calls. */
#include "bench/shared/statistics.h"

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

/* The probability of exactly k heads in n throws of a fair coin. */
static double binomial(size_t n, size_t k)
{
	double all = (double)n, some = (double)k;

	return exp(lgamma(all + 1) - lgamma(some + 1) - lgamma(all - some + 1) - all * log(2));
}

/* How many samples to leave out at each end so that 95 % remain in between. */
static size_t samples_outside(size_t count)
{
	double tail = 0;
	size_t outside = 0;

	while (outside < count / 2 && (tail += binomial(count, outside)) <= 0.025)
		outside++;
	/* At each end one sample fewer is left out than `outside`, since the bound itself is a
	   sample. */
	return outside == 0 ? 0 : outside - 1;
}

struct interval statistics_interval(double *values, size_t count)
{
	size_t outside;

	if (count == 0)
		return (struct interval){NAN, NAN, NAN};
	qsort(values, count, sizeof(*values), compare_doubles);
	outside = samples_outside(count);
	return (struct interval){
	    .low = values[outside],
	    .median = quantile(values, count, 0.5),
	    .high = values[count - 1 - outside],
	};
}

double statistics_mean(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return count == 0 ? NAN : sum / (double)count;
}

double statistics_deviation(const double *values, size_t count)
{
	double mean = statistics_mean(values, count), sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return count < 2 ? NAN : sqrt(sum / (double)(count - 1));
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

uint64_t statistics_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* The remainder is not quite fair, by less than count / 2^64. */
static size_t random_below(uint64_t *state, size_t limit)
{
	return (size_t)(statistics_random(state) % limit);
}

void statistics_shuffle(uint64_t *state, size_t *order, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t other = random_below(state, i + 1);

		order[i] = order[other];
		order[other] = i;
	}
}
