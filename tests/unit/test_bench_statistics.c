/* Intervals, pairs and permutations on numbers worked out by hand. */
#include "bench/shared/statistics.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdbool.h>

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) < 1e-12))
		fail_msg("%.17g is not %.17g", value, expected);
}

static void assert_interval(struct interval seen, double low, double median, double high)
{
	assert_near(seen.low, low);
	assert_near(seen.median, median);
	assert_near(seen.high, high);
}

TEST(median_of_an_odd_number_is_the_middle_one)
{
	double values[] = {9, 1, 5, 3, 7};

	assert_near(statistics_interval(values, COUNT(values)).median, 5);
}

TEST(median_of_an_even_number_lies_between_the_middle_two)
{
	double values[] = {4, 1, 3, 2};

	assert_near(statistics_interval(values, COUNT(values)).median, 2.5);
}

/* Tables of the sign test give 1 of 6, 2 of 9, 6 of 20, 40 of 100, each end, for 95 %. */
TEST(intervals_are_those_of_the_sign_test)
{
	static const struct {
		size_t count, rank;
	} known[] = {{1, 1}, {5, 1}, {6, 1}, {8, 1}, {9, 2}, {12, 3}, {20, 6}, {60, 22}, {100, 40}};
	double values[100];

	for (size_t i = 0; i < COUNT(known); i++) {
		size_t count = known[i].count;
		double middle = (double)(count + 1) / 2;

		/* Backwards, so that they must be sorted. */
		for (size_t j = 0; j < count; j++)
			values[j] = (double)(count - j);
		assert_interval(statistics_interval(values, count), (double)known[i].rank, middle,
				(double)(count + 1 - known[i].rank));
	}
}

TEST(intervals_of_very_many_values_are_narrow)
{
	static double values[10001];
	struct interval seen;

	for (size_t i = 0; i < COUNT(values); i++)
		values[i] = (double)i;
	seen = statistics_interval(values, COUNT(values));
	assert_near(seen.median, 5000);
	/* 1.96 standard deviations of the binomial distribution are 98. */
	assert_true(seen.low >= 4901 && seen.low <= 4903);
	assert_near(seen.low + seen.high, 10000);
}

TEST(no_values_have_no_median)
{
	struct interval none = statistics_interval(NULL, 0);

	assert_true(isnan(none.low) && isnan(none.median) && isnan(none.high));
}

TEST(median_ignores_one_wild_value)
{
	double values[] = {2, 1e9, 2, 2, 2};

	assert_near(statistics_interval(values, COUNT(values)).median, 2);
}

TEST(deviation_is_that_of_a_sample)
{
	const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};

	assert_near(statistics_mean(values, COUNT(values)), 5);
	assert_near(statistics_deviation(values, COUNT(values)), sqrt(32.0 / 7));
	assert_true(isnan(statistics_deviation(values, 1)));
	assert_true(isnan(statistics_mean(values, 0)));
}

/* The machine was three times slower in the second round: the pairs still all say 1.5. */
TEST(ratios_are_taken_within_a_round)
{
	double loader[] = {15, 45, 15};
	const double native[] = {10, 30, 10};

	statistics_pair_ratios(loader, native, COUNT(loader));
	assert_interval(statistics_interval(loader, COUNT(loader)), 1.5, 1.5, 1.5);
}

/* Medians first and then the ratio would give 20 / 20; pair by pair it is 2. */
TEST(median_of_ratios_is_not_the_ratio_of_medians)
{
	double loader[] = {20, 40, 20};
	const double native[] = {10, 20, 40};

	statistics_pair_ratios(loader, native, COUNT(loader));
	assert_near(statistics_interval(loader, COUNT(loader)).median, 2);
}

TEST(differences_are_taken_within_a_round)
{
	double loader[] = {110, 90, 400};
	const double native[] = {100, 100, 100};

	statistics_pair_differences(loader, native, COUNT(loader));
	assert_near(loader[0], 10);
	assert_near(loader[1], -10);
	assert_near(loader[2], 300);
}

static void assert_permutation(const size_t *order, size_t count)
{
	bool seen[64] = {false};

	for (size_t i = 0; i < count; i++) {
		assert_true(order[i] < count);
		assert_false(seen[order[i]]);
		seen[order[i]] = true;
	}
}

TEST(every_shuffle_is_a_permutation)
{
	size_t order[64];

	for (uint64_t seed = 0; seed < 200; seed++)
		for (size_t count = 0; count <= COUNT(order); count += 7) {
			uint64_t random = seed;

			statistics_shuffle(&random, order, count);
			assert_permutation(order, count);
		}
}

TEST(same_seed_gives_the_same_shuffles)
{
	uint64_t first = 7, second = 7;
	size_t a[16], b[16];

	for (int round = 0; round < 10; round++) {
		statistics_shuffle(&first, a, COUNT(a));
		statistics_shuffle(&second, b, COUNT(b));
		assert_memory_equal(a, b, sizeof(a));
	}
}

/* Each of four stands first about as often: 1 000 of 4 000 expected, deviation 27. */
TEST(everybody_goes_first_equally_often)
{
	uint64_t random = 1;
	size_t order[4], first[4] = {0};

	for (int round = 0; round < 4000; round++) {
		statistics_shuffle(&random, order, COUNT(order));
		first[order[0]]++;
	}
	for (size_t i = 0; i < COUNT(first); i++)
		assert_in_range(first[i], 850, 1150);
}
