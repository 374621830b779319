/*
 * `adaptive` where the kernel fills 2 MiB at any first touch: which blocks become huge pages, after
 * how many signals, and how many single pages are filled.
 */
#include "loader/predict/predict.h"
#include "tests/unit/unit.h"

#define BLOCKS_MAX 128
#define PAGES_MAX  (BLOCKS_MAX * PAGE_BYTES_MAX / 8)
#define START	   UINT64_C(1024) /* of the region, page number: two whole blocks from 0 */

/* A program's memory, and what the policy has made of it. */
static struct {
	struct policy_state state;
	uint64_t pages; /* of the region */
	uint64_t signals, filled, blocks;
	bool revealed[PAGES_MAX];
} memory;

static void begin(uint64_t blocks)
{
	memset(&memory, 0, sizeof(memory));
	memory.pages = blocks * HUGE_PAGES;
}

static uint64_t revealed_in_block(uint64_t index)
{
	uint64_t first = index / HUGE_PAGES * HUGE_PAGES, count = 0;

	for (uint64_t i = first; i < first + HUGE_PAGES && i < memory.pages; i++)
		count += memory.revealed[i];
	return count;
}

/* A write, to a page counted from the region's start. */
static void touch(uint64_t index)
{
	const struct touch touch = {
	    .page = START + index,
	    .region_start = START,
	    .region_end = START + memory.pages,
	    .write = true,
	    .huge_pages = HUGE_ALWAYS,
	    .block_pages = revealed_in_block(index),
	};
	struct prediction wanted;

	if (memory.revealed[index])
		return;
	memory.signals++;
	wanted = predict_adaptive(&memory.state, &touch);
	for (uint64_t i = 0; i < wanted.pages; i++) {
		uint64_t page = wanted.first + i * wanted.step - START;

		assert_true(page < memory.pages);
		memory.blocks += wanted.bring == BRING_BLOCK && page % HUGE_PAGES == 0 &&
				 revealed_in_block(page) < HUGE_PAGES;
		memory.filled += wanted.bring == BRING_POPULATE && !memory.revealed[page];
		memory.revealed[page] = true;
	}
	assert_true(memory.revealed[index]);
}

/* xorshift64 (Marsaglia, 2003). */
static uint64_t random_below(uint64_t limit)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % limit;
}

/* The first block begins with single pages, because nothing is known yet. All others come whole. */
TEST(a_walk_is_whole_blocks_after_a_few_pages)
{
	begin(32);
	for (uint64_t i = 0; i < memory.pages; i++)
		touch(i);
	assert_int_equal(memory.blocks, 32);
	assert_in_range(memory.filled, 1, 32);
	assert_in_range(memory.signals, 4, 12);
}

TEST(so_it_is_downwards)
{
	begin(32);
	for (uint64_t i = memory.pages; i-- > 0;)
		touch(i);
	assert_int_equal(memory.blocks, 32);
	assert_in_range(memory.filled, 1, 32);
	assert_in_range(memory.signals, 4, 12);
}

TEST(two_walks_side_by_side_are_whole_blocks)
{
	begin(32);
	for (uint64_t i = 0; i < memory.pages / 2; i++) {
		touch(i);
		touch(memory.pages / 2 + i);
	}
	assert_int_equal(memory.blocks, 32);
	assert_in_range(memory.signals, 8, 24);
}

TEST(small_memory_touched_at_random_is_whole_blocks)
{
	begin(32);
	for (uint64_t i = 0; i < memory.pages; i++)
		touch(random_below(memory.pages));
	assert_int_equal(memory.blocks, 32);
	assert_in_range(memory.filled, 1, 6);
	assert_in_range(memory.signals, 4, 6);
}

/* 655 pages of 256 MiB. In a native run all of it would be filled. */
TEST(a_few_pages_of_large_memory_are_all_that_is_filled)
{
	begin(128);
	for (unsigned i = 0; i < 655; i++)
		touch(random_below(memory.pages));
	assert_int_equal(memory.blocks, 0);
	assert_int_equal(memory.filled, memory.signals);
}

TEST(large_memory_touched_all_over_is_whole_blocks_in_the_end)
{
	begin(128);
	for (uint64_t i = 0; i < memory.pages; i++)
		touch(random_below(memory.pages));
	assert_int_equal(memory.blocks, 128);
	assert_in_range(memory.filled, 1, memory.pages / 32);
}

TEST(long_steps_are_filled_ahead_page_by_page)
{
	uint64_t touched = 0;

	begin(32);
	for (uint64_t i = 0; i < memory.pages; i += 17, touched++)
		touch(i);
	assert_int_equal(memory.blocks, 0);
	assert_in_range(memory.filled, touched, touched + 64);
	assert_in_range(memory.signals, 3, 24);
}

TEST(long_steps_downwards_too)
{
	uint64_t touched = 0;

	begin(32);
	for (uint64_t i = memory.pages - 1; i >= 100; i -= 100, touched++)
		touch(i);
	assert_int_equal(memory.blocks, 0);
	assert_in_range(memory.filled, touched, touched + 64);
}

/* A block that many single touches have found, and then others after fewer. */
TEST(a_block_that_is_touched_often_becomes_whole)
{
	uint64_t first;

	begin(128);
	for (unsigned i = 0; memory.blocks == 0; i++)
		touch(5 * HUGE_PAGES + 7 * (i * i % 73));
	first = memory.signals;
	assert_in_range(first, 20, 26);
	for (unsigned i = 0; memory.blocks == 1; i++)
		touch(9 * HUGE_PAGES + 7 * (i * i % 73));
	assert_in_range(memory.signals - first, 3, first - 1);
}
