/* Prediction policies on written-out sequences of faults. */
#include "loader/predict/predict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* No policy takes more at once: 256 KiB of pages that may turn out to be wasted. */
#define PAGES_MAX 64

/* The highest page number that an address has, and then some. */
#define PAGE_NUMBERS (UINT64_C(1) << 52)

/* A fault and what is to be done about it. */
struct step {
	uint64_t page, first, pages;
	bool populate;
};

static void assert_steps(policy_function *policy, const struct step *steps, size_t count)
{
	struct policy_state state = {0};

	for (size_t i = 0; i < count; i++) {
		struct prediction prediction = policy(&state, steps[i].page);

		if (prediction.first != steps[i].first || prediction.pages != steps[i].pages ||
		    prediction.populate != steps[i].populate)
			fail_msg("step %zu, page %lu: %lu pages from %lu on, populate %d", i,
				 steps[i].page, prediction.pages, prediction.first,
				 prediction.populate);
	}
}

static void none_takes_the_touched_page(void **state)
{
	static const struct step steps[] = {
	    {100, 100, 1, false}, {101, 101, 1, false}, {102, 102, 1, false},
	    {7, 7, 1, false},	  {0, 0, 1, false},
	};

	(void)state;
	assert_steps(resident_predict_none, steps, COUNT(steps));
}

/* The first fault was not predicted; then one right guess, then more than one. */
static void counter_grows_with_a_sequential_walk(void **state)
{
	static const struct step steps[] = {
	    {100, 100, 1, false}, {101, 101, 2, false}, {103, 103, 3, false},
	    {106, 106, 3, false}, {109, 109, 3, false}, {112, 112, 3, false},
	};

	(void)state;
	assert_steps(resident_predict_counter, steps, COUNT(steps));
}

static void counter_never_predicts_a_reverse_walk(void **state)
{
	static const struct step steps[] = {
	    {100, 100, 1, false}, {99, 99, 1, false}, {98, 98, 1, false},
	    {97, 97, 1, false},	  {96, 96, 1, false},
	};

	(void)state;
	assert_steps(resident_predict_counter, steps, COUNT(steps));
}

/* Each wrong guess takes back one right one. */
static void counter_falls_with_each_wrong_guess(void **state)
{
	static const struct step steps[] = {
	    {100, 100, 1, false}, /* 0 */
	    {101, 101, 2, false}, /* 1 */
	    {103, 103, 3, false}, /* 2 */
	    {106, 106, 3, false}, /* 3 */
	    {500, 500, 3, false}, /* 2 */
	    {300, 300, 2, false}, /* 1 */
	    {900, 900, 1, false}, /* 0 */
	    {700, 700, 1, false}, /* -1 */
	};

	(void)state;
	assert_steps(resident_predict_counter, steps, COUNT(steps));
}

/* There is no lower limit: as many right guesses are needed as there were wrong ones. */
static void counter_does_not_forget(void **state)
{
	static const struct step steps[] = {
	    {100, 100, 1, false}, /* 0 */
	    {500, 500, 1, false}, /* -1 */
	    {300, 300, 1, false}, /* -2 */
	    {301, 301, 1, false}, /* -1 */
	    {302, 302, 1, false}, /* 0 */
	    {303, 303, 2, false}, /* 1 */
	    {305, 305, 3, false}, /* 2 */
	};

	(void)state;
	assert_steps(resident_predict_counter, steps, COUNT(steps));
}

/* Right is the page behind the last one mapped, not the one behind the last one touched. */
static void counter_expects_the_page_behind_the_last_one_mapped(void **state)
{
	static const struct step steps[] = {
	    {100, 100, 1, false}, /* 0, expects 101 */
	    {101, 101, 2, false}, /* 1, expects 103 */
	    {104, 104, 1, false}, /* 0: a page left out, expects 105 */
	    {105, 105, 2, false}, /* 1, expects 107 */
	    {106, 106, 1, false}, /* 0 */
	};

	(void)state;
	assert_steps(resident_predict_counter, steps, COUNT(steps));
}

static void counter_takes_two_walks_for_random_touches(void **state)
{
	static const struct step steps[] = {
	    {100, 100, 1, false}, {900, 900, 1, false}, {101, 101, 1, false},
	    {901, 901, 1, false}, {102, 102, 1, false}, {902, 902, 1, false},
	};

	(void)state;
	assert_steps(resident_predict_counter, steps, COUNT(steps));
}

/* Not even where the page is the 0 that stands for no expectation. */
static void nobody_guessed_the_first_fault(void **state)
{
	static const struct step counter[] = {{0, 0, 1, false}, {1, 1, 2, false}};
	static const struct step readahead[] = {{0, 0, 16, false}, {16, 16, 16, true}};

	(void)state;
	assert_steps(resident_predict_counter, counter, COUNT(counter));
	assert_steps(resident_predict_readahead, readahead, COUNT(readahead));
}

/* A block first; once that was right, windows that double up to 64 pages, filled at once. */
static void readahead_doubles_on_a_sequential_walk(void **state)
{
	static const struct step steps[] = {
	    {100, 96, 16, false}, {112, 112, 16, true}, {128, 128, 32, true},
	    {160, 160, 64, true}, {224, 224, 64, true}, {288, 288, 64, true},
	};

	(void)state;
	assert_steps(resident_predict_readahead, steps, COUNT(steps));
}

static void readahead_reveals_blocks_to_a_reverse_walk(void **state)
{
	static const struct step steps[] = {
	    {1000, 992, 16, false},
	    {991, 976, 16, false},
	    {975, 960, 16, false},
	    {959, 944, 16, false},
	};

	(void)state;
	assert_steps(resident_predict_readahead, steps, COUNT(steps));
}

/* Wherever it is, the block is aligned, and nothing is filled that was not touched. */
static void readahead_reveals_blocks_to_random_touches(void **state)
{
	static const struct step steps[] = {
	    {5000, 4992, 16, false},   {77, 64, 16, false},   {0, 0, 16, false},
	    {15999, 15984, 16, false}, {320, 320, 16, false}, {31, 16, 16, false},
	};

	(void)state;
	assert_steps(resident_predict_readahead, steps, COUNT(steps));
}

static void readahead_reveals_blocks_to_two_interleaved_walks(void **state)
{
	static const struct step steps[] = {
	    {1600, 1600, 16, false}, {8000, 8000, 16, false}, {1616, 1616, 16, false},
	    {8016, 8016, 16, false}, {1632, 1632, 16, false}, {8032, 8032, 16, false},
	};

	(void)state;
	assert_steps(resident_predict_readahead, steps, COUNT(steps));
}

static void readahead_starts_again_after_a_wrong_guess(void **state)
{
	static const struct step steps[] = {
	    {160, 160, 16, false},  {176, 176, 16, true},    {192, 192, 32, true},
	    {224, 224, 64, true},   {9001, 8992, 16, false}, {9008, 9008, 16, true},
	    {9024, 9024, 32, true},
	};

	(void)state;
	assert_steps(resident_predict_readahead, steps, COUNT(steps));
}

/* A fault one page further on was not guessed. */
static void readahead_expects_the_page_right_behind_the_window(void **state)
{
	static const struct step steps[] = {
	    {96, 96, 16, false},
	    {113, 112, 16, false},
	    {129, 128, 16, false},
	    {144, 144, 16, true},
	};

	(void)state;
	assert_steps(resident_predict_readahead, steps, COUNT(steps));
}

/* ---- whatever the faults are ---- */

static uint64_t random_state;

/* xorshift64*: any will do, as long as it is the same everywhere. */
static uint64_t random_below(uint64_t bound)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * UINT64_C(2685821657736338717) % bound;
}

/* The next page of a made-up program: on from where the last window ended, nearby, or anywhere. */
static uint64_t next_page(uint64_t expected)
{
	switch (random_below(4)) {
	case 0:
		return random_below(PAGE_NUMBERS);
	case 1:
		return random_below(300);
	default:
		return expected % PAGE_NUMBERS;
	}
}

static void assert_always_sane(policy_function *policy)
{
	struct policy_state state = {0}, twin = {0};
	uint64_t expected = 0;

	random_state = 1;
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t page = next_page(expected);
		struct prediction prediction = policy(&state, page);
		struct prediction again = policy(&twin, page);

		assert_true(prediction.first <= page);
		assert_true(page - prediction.first < prediction.pages);
		assert_in_range(prediction.pages, 1, PAGES_MAX);
		/* Only a guess that has just been right is worth memory. */
		assert_true(!prediction.populate || page == expected);
		/* Nothing but the faults decides. */
		assert_int_equal(prediction.first, again.first);
		assert_int_equal(prediction.pages, again.pages);
		assert_int_equal(prediction.populate, again.populate);
		expected = prediction.first + prediction.pages;
	}
}

static void every_prediction_has_the_touched_page_and_a_bound(void **state)
{
	(void)state;
	assert_always_sane(resident_predict_none);
	assert_always_sane(resident_predict_counter);
	assert_always_sane(resident_predict_readahead);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(none_takes_the_touched_page),
	    cmocka_unit_test(counter_grows_with_a_sequential_walk),
	    cmocka_unit_test(counter_never_predicts_a_reverse_walk),
	    cmocka_unit_test(counter_falls_with_each_wrong_guess),
	    cmocka_unit_test(counter_does_not_forget),
	    cmocka_unit_test(counter_expects_the_page_behind_the_last_one_mapped),
	    cmocka_unit_test(counter_takes_two_walks_for_random_touches),
	    cmocka_unit_test(nobody_guessed_the_first_fault),
	    cmocka_unit_test(readahead_doubles_on_a_sequential_walk),
	    cmocka_unit_test(readahead_reveals_blocks_to_a_reverse_walk),
	    cmocka_unit_test(readahead_reveals_blocks_to_random_touches),
	    cmocka_unit_test(readahead_reveals_blocks_to_two_interleaved_walks),
	    cmocka_unit_test(readahead_starts_again_after_a_wrong_guess),
	    cmocka_unit_test(readahead_expects_the_page_right_behind_the_window),
	    cmocka_unit_test(every_prediction_has_the_touched_page_and_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
