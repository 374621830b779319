/* Prediction policies without streams on written-out sequences of faults, and their names. */
#include "loader/cli/policies.h"
#include "tests/unit/unit.h"

/* The first window of --policy=readahead. */
#define READAHEAD_PAGES 64

/* A touch, and the expected answer of the policy. */
struct step {
	uint64_t page, first, pages;
	bool populate;
};

#define STEPS(...) (const struct step[]){__VA_ARGS__}, COUNT(((const struct step[]){__VA_ARGS__}))

/* For policies that ignore the kind of touch and the end of the region. */
static void assert_steps_of(policy_function *policy, uint64_t parameter, struct touch touch,
			    const struct step *steps, size_t count)
{
	struct policy_state state = {.parameter = parameter};

	for (size_t i = 0; i < count; i++) {
		enum bring bring = steps[i].populate ? BRING_POPULATE : BRING_REVEAL;
		struct prediction prediction;

		touch.page = steps[i].page;
		prediction = policy(&state, &touch);
		if (prediction.first != steps[i].first || prediction.pages != steps[i].pages ||
		    prediction.step != 1 || prediction.bring != bring)
			fail_msg("step %zu, page %lu: %lu pages from %lu on, step %lu, bring %d", i,
				 steps[i].page, prediction.pages, prediction.first, prediction.step,
				 (int)prediction.bring);
	}
}

static void assert_steps(policy_function *policy, uint64_t parameter, const struct step *steps,
			 size_t count)
{
	struct touch read = {.region_end = 16000};
	struct touch write = {.region_end = 1 << 20, .write = true, .huge_pages = HUGE_ON_ADVICE};

	assert_steps_of(policy, parameter, read, steps, count);
	assert_steps_of(policy, parameter, write, steps, count);
}

TEST(none_takes_the_touched_page)
{
	assert_steps(predict_none, 0,
		     STEPS({100, 100, 1, false}, {101, 101, 1, false}, {102, 102, 1, false},
			   {7, 7, 1, false}, {0, 0, 1, false}));
}

TEST(fault_around_takes_the_block_of_a_file)
{
	static const struct step file[] = {
	    {100, 96, 16, false}, {112, 112, 16, false}, {0, 0, 16, false}, {15, 0, 16, false}};
	struct touch touch = {.region_end = 16000, .from_file = true};

	assert_steps_of(predict_fault_around, 16, touch, file, COUNT(file));
	touch.write = true;
	assert_steps_of(predict_fault_around, 16, touch, file, COUNT(file));
	assert_steps(predict_fault_around, 16, STEPS({100, 100, 1, false}, {101, 101, 1, false}));
}

/* The first fault was not predicted; then one right guess, then more than one. */
TEST(counter_grows_with_a_sequential_walk)
{
	assert_steps(predict_counter, 0,
		     STEPS({100, 100, 1, false}, {101, 101, 2, false}, {103, 103, 3, false},
			   {106, 106, 3, false}, {109, 109, 3, false}, {112, 112, 3, false}));
}

TEST(counter_never_predicts_a_reverse_walk)
{
	assert_steps(predict_counter, 0,
		     STEPS({100, 100, 1, false}, {99, 99, 1, false}, {98, 98, 1, false},
			   {97, 97, 1, false}, {96, 96, 1, false}));
}

/* Each wrong guess takes back one right one. */
TEST(counter_falls_with_each_wrong_guess)
{
	assert_steps(predict_counter, 0,
		     STEPS({100, 100, 1, false}, /* 0 */
			   {101, 101, 2, false}, /* 1 */
			   {103, 103, 3, false}, /* 2 */
			   {106, 106, 3, false}, /* 3 */
			   {500, 500, 3, false}, /* 2 */
			   {300, 300, 2, false}, /* 1 */
			   {900, 900, 1, false}, /* 0 */
			   {700, 700, 1, false} /* -1 */));
}

/* There is no lower limit: as many right guesses are needed as there were wrong ones. */
TEST(counter_does_not_forget)
{
	assert_steps(predict_counter, 0,
		     STEPS({100, 100, 1, false}, /* 0 */
			   {500, 500, 1, false}, /* -1 */
			   {300, 300, 1, false}, /* -2 */
			   {301, 301, 1, false}, /* -1 */
			   {302, 302, 1, false}, /* 0 */
			   {303, 303, 2, false}, /* 1 */
			   {305, 305, 3, false} /* 2 */));
}

/* Right is the page after the last one mapped, not the one after the last one touched. */
TEST(counter_expects_the_page_after_the_last_one_mapped)
{
	assert_steps(predict_counter, 0,
		     STEPS({100, 100, 1, false}, /* 0, expects 101 */
			   {101, 101, 2, false}, /* 1, expects 103 */
			   {104, 104, 1, false}, /* 0: a page left out, expects 105 */
			   {105, 105, 2, false}, /* 1, expects 107 */
			   {106, 106, 1, false} /* 0 */));
}

TEST(counter_takes_two_walks_for_random_touches)
{
	assert_steps(predict_counter, 0,
		     STEPS({100, 100, 1, false}, {900, 900, 1, false}, {101, 101, 1, false},
			   {901, 901, 1, false}, {102, 102, 1, false}, {902, 902, 1, false}));
}

/* Also if the page is 0, which stands for no expectation. */
TEST(nobody_guessed_the_first_fault)
{
	assert_steps(predict_counter, 0, STEPS({0, 0, 1, false}, {1, 1, 2, false}));
	assert_steps(predict_readahead, READAHEAD_PAGES,
		     STEPS({0, 0, 16, false}, {16, 16, 16, true}));
}

/* A block first; once that was right, windows that double up to 64 pages, filled at once. */
TEST(readahead_doubles_on_a_sequential_walk)
{
	assert_steps(predict_readahead, READAHEAD_PAGES,
		     STEPS({100, 96, 16, false}, {112, 112, 16, true}, {128, 128, 32, true},
			   {160, 160, 64, true}, {224, 224, 64, true}, {288, 288, 64, true}));
}

TEST(readahead_reveals_blocks_to_a_reverse_walk)
{
	assert_steps(predict_readahead, READAHEAD_PAGES,
		     STEPS({1000, 992, 16, false}, {991, 976, 16, false}, {975, 960, 16, false},
			   {959, 944, 16, false}));
}

/* Wherever it is, the block is aligned, and nothing is filled that was not touched. */
TEST(readahead_reveals_blocks_to_random_touches)
{
	assert_steps(predict_readahead, READAHEAD_PAGES,
		     STEPS({5000, 4992, 16, false}, {77, 64, 16, false}, {0, 0, 16, false},
			   {15999, 15984, 16, false}, {320, 320, 16, false}, {31, 16, 16, false}));
}

TEST(readahead_reveals_blocks_to_two_interleaved_walks)
{
	assert_steps(predict_readahead, READAHEAD_PAGES,
		     STEPS({1600, 1600, 16, false}, {8000, 8000, 16, false},
			   {1616, 1616, 16, false}, {8016, 8016, 16, false},
			   {1632, 1632, 16, false}, {8032, 8032, 16, false}));
}

TEST(readahead_starts_again_after_a_wrong_guess)
{
	assert_steps(predict_readahead, READAHEAD_PAGES,
		     STEPS({160, 160, 16, false}, {176, 176, 16, true}, {192, 192, 32, true},
			   {224, 224, 64, true}, {9001, 8992, 16, false}, {9008, 9008, 16, true},
			   {9024, 9024, 32, true}));
}

/* A fault one page further on was not guessed. */
TEST(readahead_expects_the_page_right_after_the_window)
{
	assert_steps(predict_readahead, READAHEAD_PAGES,
		     STEPS({96, 96, 16, false}, {113, 112, 16, false}, {129, 128, 16, false},
			   {144, 144, 16, true}));
}

TEST(readahead_stops_doubling_at_its_parameter)
{
	assert_steps(
	    predict_readahead, 20,
	    STEPS({32, 32, 16, false}, {48, 48, 16, true}, {64, 64, 20, true}, {84, 84, 20, true}));
	assert_steps(predict_readahead, 1,
		     STEPS({32, 32, 16, false}, {48, 48, 1, true}, {49, 49, 1, true}));
}

TEST(next_fills_as_many_more_wherever_it_is)
{
	assert_steps(
	    predict_next, 8,
	    STEPS({100, 100, 9, true}, {109, 109, 9, true}, {99, 99, 9, true}, {0, 0, 9, true}));
	assert_steps(predict_next, 1, STEPS({100, 100, 2, true}, {102, 102, 2, true}));
}

/* Aligned to its length, which need not be a power of two. */
TEST(block_reveals_the_aligned_block)
{
	assert_steps(predict_block, 64,
		     STEPS({100, 64, 64, false}, {128, 128, 64, false}, {127, 64, 64, false},
			   {0, 0, 64, false}));
	assert_steps(
	    predict_block, 100,
	    STEPS({99, 0, 100, false}, {100, 100, 100, false}, {12345, 12300, 100, false}));
	assert_steps(predict_block, 1, STEPS({7, 7, 1, false}, {8, 8, 1, false}));
}

/* ---- names ---- */

static void assert_parsed(const char *text, policy_function *predict, uint64_t pages)
{
	struct error error = {.text = "no error"};
	uint64_t read = 77;
	const struct policy *policy = policy_parse(text, &read, &error);

	if (policy == NULL)
		fail_msg("%s: %s", text, error.text);
	assert_ptr_equal(policy->predict, predict);
	assert_int_equal(read, pages);
}

static void assert_refused(const char *text, const char *sentence)
{
	struct error error = {.text = "no error"};
	uint64_t pages;

	assert_null(policy_parse(text, &pages, &error));
	assert_string_equal(error.text, sentence);
	assert_int_equal(error.status, EXIT_OURS);
}

TEST(a_name_alone_brings_its_own_pages)
{
	assert_parsed("none", predict_none, 0);
	assert_parsed("counter", predict_counter, 0);
	assert_parsed("block", predict_block, 64);
	assert_parsed("readahead", predict_readahead, READAHEAD_PAGES);
	assert_parsed("leap", predict_leap, 64);
	assert_parsed("stride", predict_stride, 64);
	assert_parsed("adaptive", predict_adaptive, 0);
}

TEST(pages_are_read_up_to_both_bounds)
{
	assert_parsed("next-8", predict_next, 8);
	assert_parsed("next-1", predict_next, 1);
	assert_parsed("next-4096", predict_next, 4096);
	assert_parsed("block,pages=128", predict_block, 128);
	assert_parsed("block,pages=1", predict_block, 1);
	assert_parsed("block,pages=1048576", predict_block, 1048576);
	assert_parsed("readahead,pages=4096", predict_readahead, 4096);
	assert_parsed("leap,pages=2", predict_leap, 2);
	assert_parsed("stride,pages=007", predict_stride, 7);
}

TEST(other_numbers_of_pages_are_refused)
{
	static const char *const numbers[] = {
	    "0", "4097", "-1", "+1", " 1", "1 ", "1k", "0x10", "1,2", "", "18446744073709551617"};
	char text[64], sentence[128];

	for (size_t i = 0; i < COUNT(numbers); i++) {
		snprintf(sentence, sizeof(sentence),
			 "the policy next-N takes from 1 to 4096 pages, not '%s'", numbers[i]);
		snprintf(text, sizeof(text), "next-%s", numbers[i]);
		assert_refused(text, sentence);
		snprintf(sentence, sizeof(sentence),
			 "the policy leap takes from 1 to 4096 pages, not '%s'", numbers[i]);
		snprintf(text, sizeof(text), "leap,pages=%s", numbers[i]);
		assert_refused(text, sentence);
	}
	assert_refused("block,pages=1048577",
		       "the policy block takes from 1 to 1048576 pages, not '1048577'");
}

TEST(other_parameters_are_refused)
{
	assert_refused("none,pages=3", "the policy none has no parameters: leave out ,pages=3");
	assert_refused("adaptive,pages=64",
		       "the policy adaptive has no parameters: leave out ,pages=64");
	assert_refused("block,size=3", "--policy=block,size=3: the only parameter is pages=N");
	assert_refused("block,pages", "--policy=block,pages: the only parameter is pages=N");
	assert_refused("block,", "--policy=block,: the only parameter is pages=N");
}

/* Names are whole words; the sentence has what was typed, and every name there is. */
TEST(other_names_are_refused)
{
	static const char *const names[] = {"", "nonsense", "next", "block=88", "nonsense,pages=8"};
	char sentence[256];

	for (size_t i = 0; i < COUNT(names); i++) {
		snprintf(sentence, sizeof(sentence),
			 "--policy=%s is unknown; there are none, fault-around, counter, "
			 "next-N, block, readahead, leap, stride and adaptive",
			 names[i]);
		assert_refused(names[i], sentence);
	}
}

/* Near ones are refused, too, and the one that was meant is named. */
TEST(near_names_are_refused)
{
	static const char *const names[] = {"block ", "blocks",	 "bloc",
					    "Block",  "block-8", "blokc,pages=8"};
	char sentence[256];

	for (size_t i = 0; i < COUNT(names); i++) {
		snprintf(sentence, sizeof(sentence), "--policy=%s is unknown; did you mean block?",
			 names[i]);
		assert_refused(names[i], sentence);
	}
	assert_refused("adaptve", "--policy=adaptve is unknown; did you mean adaptive?");
	assert_refused("next-N,", "--policy=next-N,: the only parameter is pages=N");
}
