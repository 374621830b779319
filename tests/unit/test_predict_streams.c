/*
 * Prediction policies that follow streams, with written sequences of touches; and all policies with
 * made-up programs. The pager here is only a map of the present pages.
 */
#include "loader/cli/policies.h"
#include "tests/unit/unit.h"

#define PAGE_NUMBERS (UINT64_C(1) << 52)

/* Short, for the tables. */
#define SHOW BRING_REVEAL
#define FILL BRING_POPULATE

/* A touch and the answer to it. */
struct answer {
	uint64_t page, first, pages, step;
	enum bring bring;
};

#define ANSWERS(...)                                                                               \
	(const struct answer[]){__VA_ARGS__}, COUNT(((const struct answer[]){__VA_ARGS__}))

/* A policy at work: what it remembers, and what all touches have in common. */
struct run {
	policy_function *predict;
	struct policy_state state;
	struct touch touch;
};

static struct run run_of(policy_function *predict, uint64_t parameter)
{
	return (struct run){.predict = predict,
			    .state = {.parameter = parameter},
			    .touch = {.region_end = 1 << 20, .write = true, .copies = true}};
}

static struct prediction touch_page(struct run *run, uint64_t page)
{
	run->touch.page = page;
	return run->predict(&run->state, &run->touch);
}

static void assert_answers(struct run *run, const struct answer *answers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct answer *wanted = &answers[i];
		struct prediction got = touch_page(run, wanted->page);

		if (got.first != wanted->first || got.pages != wanted->pages ||
		    got.step != wanted->step || got.bring != wanted->bring)
			fail_msg("touch %zu, page %lu: %lu pages from %lu on, step %lu, bring %d",
				 i, wanted->page, got.pages, got.first, got.step, (int)got.bring);
	}
}

/* A new run of a policy that has 64 pages, with written and with read memory. */
static void assert_answers_of(policy_function *predict, const struct answer *answers, size_t count)
{
	struct run writes = run_of(predict, 64), reads = writes;

	reads.touch.write = false;
	assert_answers(&writes, answers, count);
	assert_answers(&reads, answers, count);
}

/* Upwards, each touch right after what the one before brought in. The page after the last. */
static uint64_t walk_up(struct run *run, uint64_t page, unsigned touches)
{
	for (unsigned i = 0; i < touches; i++) {
		struct prediction prediction = touch_page(run, page);

		page = prediction.first + prediction.pages;
	}
	return page;
}

/* ---- leap ---- */

/* Four distances are known with the fifth touch. */
TEST(leap_doubles_on_a_sequential_walk)
{
	assert_answers_of(predict_leap, ANSWERS({100, 100, 1, 1, SHOW}, {101, 101, 1, 1, SHOW},
						{102, 102, 1, 1, SHOW}, {103, 103, 1, 1, SHOW},
						{104, 104, 2, 1, FILL}, {106, 106, 4, 1, FILL},
						{110, 110, 8, 1, FILL}, {118, 118, 16, 1, FILL},
						{134, 134, 32, 1, FILL}, {166, 166, 64, 1, FILL},
						{230, 230, 64, 1, FILL}));
}

TEST(leap_walks_backwards)
{
	assert_answers_of(predict_leap,
			  ANSWERS({100, 100, 1, 1, SHOW}, {99, 99, 1, 1, SHOW},
				  {98, 98, 1, 1, SHOW}, {97, 97, 1, 1, SHOW}, {96, 95, 2, 1, FILL},
				  {94, 91, 4, 1, FILL}, {90, 83, 8, 1, FILL}, {82, 67, 16, 1, FILL},
				  {66, 35, 32, 1, FILL},
				  /* Down to page 0, and not beyond. */
				  {34, 0, 35, 1, FILL}));
}

TEST(leap_keeps_the_distance)
{
	assert_answers_of(predict_leap, ANSWERS({100, 100, 1, 1, SHOW}, {103, 103, 1, 1, SHOW},
						{106, 106, 1, 1, SHOW}, {109, 109, 1, 1, SHOW},
						{112, 112, 2, 3, FILL}, {118, 118, 4, 3, FILL},
						{130, 130, 8, 3, FILL}));
	assert_answers_of(predict_leap,
			  ANSWERS({9000, 9000, 1, 1, SHOW}, {8000, 8000, 1, 1, SHOW},
				  {7000, 7000, 1, 1, SHOW}, {6000, 6000, 1, 1, SHOW},
				  {5000, 4000, 2, 1000, FILL}, {3000, 0, 4, 1000, FILL}));
}

/* There and back: neither distance has more than half. */
TEST(leap_sees_no_majority_in_two_walks)
{
	struct run run = run_of(predict_leap, 64);

	for (uint64_t i = 0; i < 32; i++) {
		const struct answer answers[] = {{1000 + i, 1000 + i, 1, 1, SHOW},
						 {8000 + i, 8000 + i, 1, 1, SHOW}};

		assert_answers(&run, answers, COUNT(answers));
	}
}

/* Three of the last four distances are enough. */
TEST(leap_forgives_one_other_distance)
{
	assert_answers_of(predict_leap, ANSWERS({100, 100, 1, 1, SHOW}, {101, 101, 1, 1, SHOW},
						{300, 300, 1, 1, SHOW}, {301, 301, 1, 1, SHOW},
						{302, 302, 2, 1, FILL}, {304, 304, 4, 1, FILL}));
}

/* Sixteen distances are remembered: after eight others, the walk has no majority anywhere. */
TEST(leap_gives_up_when_touches_turn_random)
{
	static const uint64_t random[] = {90000, 20000, 70001, 33000, 5,    61000,
					  12345, 88888, 41000, 19000, 77000};
	struct run run = run_of(predict_leap, 64);

	walk_up(&run, 100, 30);
	for (uint64_t i = 0; i < COUNT(random); i++) {
		const struct answer guess = {random[i], random[i], 2, 1, FILL};
		const struct answer alone = {random[i], random[i], 1, 1, SHOW};

		assert_answers(&run, i < 7 ? &guess : &alone, 1);
	}
}

/* ---- stride ---- */

/* The distance comes first with the second touch, again with the third. */
TEST(stride_doubles_on_a_sequential_walk)
{
	assert_answers_of(predict_stride, ANSWERS({100, 100, 1, 1, SHOW}, {101, 101, 1, 1, SHOW},
						  {102, 102, 2, 1, FILL}, {104, 104, 4, 1, FILL},
						  {108, 108, 8, 1, FILL}, {116, 116, 16, 1, FILL},
						  {132, 132, 32, 1, FILL}, {164, 164, 64, 1, FILL},
						  {228, 228, 64, 1, FILL}));
}

TEST(stride_walks_backwards)
{
	assert_answers_of(predict_stride,
			  ANSWERS({40, 40, 1, 1, SHOW}, {39, 39, 1, 1, SHOW}, {38, 37, 2, 1, FILL},
				  {36, 33, 4, 1, FILL}, {32, 25, 8, 1, FILL}, {24, 9, 16, 1, FILL},
				  {8, 0, 9, 1, FILL}));
	assert_answers_of(predict_stride, ANSWERS({1000, 1000, 1, 1, SHOW}, {997, 997, 1, 1, SHOW},
						  {994, 991, 2, 3, FILL}, {988, 979, 4, 3, FILL}));
}

TEST(stride_keeps_the_distance)
{
	assert_answers_of(predict_stride, ANSWERS({100, 100, 1, 1, SHOW}, {103, 103, 1, 1, SHOW},
						  {106, 106, 2, 3, FILL}, {112, 112, 4, 3, FILL},
						  {124, 124, 8, 3, FILL}));
	assert_answers_of(predict_stride, ANSWERS({0, 0, 1, 1, SHOW}, {64, 64, 1, 1, SHOW},
						  {128, 128, 2, 64, FILL}));
	assert_answers_of(predict_stride, ANSWERS({0, 0, 1, 1, SHOW}, {65, 65, 1, 1, SHOW},
						  {130, 130, 1, 1, SHOW}));
}

TEST(stride_follows_two_walks)
{
	assert_answers_of(predict_stride,
			  ANSWERS({1000, 1000, 1, 1, SHOW}, {8000, 8000, 1, 1, SHOW},
				  {1001, 1001, 1, 1, SHOW}, {7998, 7998, 1, 1, SHOW},
				  {1002, 1002, 2, 1, FILL}, {7996, 7994, 2, 2, FILL},
				  {1004, 1004, 4, 1, FILL}, {7992, 7986, 4, 2, FILL},
				  {1008, 1008, 8, 1, FILL}, {7984, 7970, 8, 2, FILL}));
}

/* Seven others do not make it forget the walk, and again seven after it has been right. */
TEST(stride_takes_random_touches_alone)
{
	struct run run = run_of(predict_stride, 64);
	uint64_t page = walk_up(&run, 100, 2);

	for (uint64_t i = 0; i < 64; i++) {
		const struct answer alone = {5000 * (i + 1), 5000 * (i + 1), 1, 1, SHOW};
		uint64_t pages = lower(UINT64_C(2) << i / 7, 64);
		const struct answer walk = {page, page, pages, 1, FILL};

		assert_answers(&run, &alone, 1);
		if (i % 7 == 6) {
			assert_answers(&run, &walk, 1);
			page += pages;
		}
	}
}

/* ---- adaptive ---- */

/* Up to 64 pages, and a 32nd of the 120 and more that have come. */
TEST(adaptive_doubles_on_a_sequential_walk)
{
	struct run run = run_of(predict_adaptive, 0);

	assert_answers(&run, ANSWERS({1000, 1000, 1, 1, FILL}, {1001, 1001, 8, 1, FILL},
				     {1009, 1009, 16, 1, FILL}, {1025, 1025, 32, 1, FILL},
				     {1057, 1057, 64, 1, FILL}, {1121, 1121, 67, 1, FILL},
				     {1188, 1188, 69, 1, FILL}));
}

TEST(adaptive_walks_backwards_to_the_region_s_start)
{
	struct run run = run_of(predict_adaptive, 0);

	run.touch.region_start = 4900;
	assert_answers(&run, ANSWERS({5000, 5000, 1, 1, FILL}, {4999, 4992, 8, 1, FILL},
				     {4991, 4976, 16, 1, FILL}, {4975, 4944, 32, 1, FILL},
				     {4943, 4900, 44, 1, FILL}));
}

TEST(adaptive_follows_two_walks)
{
	struct run run = run_of(predict_adaptive, 0);

	assert_answers(&run, ANSWERS({1000, 1000, 1, 1, FILL}, {8000, 8000, 1, 1, FILL},
				     {1001, 1001, 8, 1, FILL}, {7999, 7992, 8, 1, FILL},
				     {1009, 1009, 16, 1, FILL}, {7991, 7976, 16, 1, FILL},
				     {1025, 1025, 32, 1, FILL}, {7975, 7944, 32, 1, FILL}));
}

/* Three alone, then aligned spans, each sixteen times the last. */
TEST(adaptive_steps_aside_for_random_touches)
{
	struct run run = run_of(predict_adaptive, 0);

	assert_answers(&run, ANSWERS({90000, 90000, 1, 1, FILL}, {20000, 20000, 1, 1, FILL},
				     {70001, 70001, 1, 1, FILL}, {33000, 32960, 64, 1, SHOW},
				     {5, 0, 1024, 1, SHOW}, {61000, 49152, 16384, 1, SHOW},
				     {12345, 0, 262144, 1, SHOW}));
}

/* As long as two distances are equal. Another touch begins again. */
TEST(adaptive_fills_ahead_at_equal_distances)
{
	struct run run = run_of(predict_adaptive, 0), other = run;

	assert_answers(&run, ANSWERS({100, 100, 1, 1, FILL}, {103, 103, 1, 1, FILL},
				     {106, 106, 4, 3, FILL}, {118, 118, 8, 3, FILL},
				     {142, 142, 16, 3, FILL}, {500, 500, 1, 1, FILL},
				     {503, 503, 1, 1, FILL}));
	assert_answers(&other, ANSWERS({9000, 9000, 1, 1, FILL}, {8000, 8000, 1, 1, FILL},
				       {7000, 4000, 4, 1000, FILL}, {3000, 0, 4, 1000, FILL}));
}

/* An engine that takes two calls for each page is slower than the kernel. */
TEST(adaptive_fills_no_steps_where_each_page_is_expensive)
{
	struct run run = run_of(predict_adaptive, 0);

	run.touch.copies = false;
	assert_answers(&run, ANSWERS({100, 100, 1, 1, FILL}, {103, 103, 1, 1, FILL},
				     {106, 106, 1, 1, FILL}, {109, 64, 64, 1, SHOW}));
}

/* It does not forget the walk either, which halves the misses. */
TEST(adaptive_stops_filling_when_touches_turn_random)
{
	struct run run = run_of(predict_adaptive, 0);
	uint64_t page = walk_up(&run, 1000, 6);

	assert_answers(&run, ANSWERS({90000, 90000, 1, 1, FILL}, {20000, 20000, 1, 1, FILL},
				     {70001, 70001, 1, 1, FILL}, {33000, 32960, 64, 1, SHOW},
				     {5, 0, 1024, 1, SHOW}, {page, page, 69, 1, FILL},
				     {61000, 61000, 1, 1, FILL}, {12345, 12288, 64, 1, SHOW}));
}

/* Seven walks more, one touch of the first, seven more: the others were right longer ago. */
TEST(adaptive_keeps_the_walk_that_was_right_last)
{
	struct run run = run_of(predict_adaptive, 0);
	uint64_t page = walk_up(&run, 1000, 4);

	for (uint64_t i = 1; i <= 21; i++) {
		walk_up(&run, 20000 * i, 1);
		if (i % 7 == 0) {
			struct prediction prediction = touch_page(&run, page);

			assert_in_range(prediction.pages, 64, 80);
			assert_int_equal(prediction.bring, BRING_POPULATE);
			page += prediction.pages;
		}
	}
}

/* In order or not. A span begins at an aligned page, so the second one contains the first. */
TEST(adaptive_never_fills_what_is_read)
{
	struct run run = run_of(predict_adaptive, 0);

	run.touch.write = false;
	run.touch.huge_pages = HUGE_ON_ADVICE;
	assert_answers(&run, ANSWERS({1000, 992, 16, 1, SHOW}, {1008, 992, 32, 1, SHOW},
				     {1024, 1024, 64, 1, SHOW}, {1088, 1024, 128, 1, SHOW},
				     {1152, 1024, 256, 1, SHOW}, {90000, 89600, 512, 1, SHOW}));
}

/* A read where the walk would go on is a read; written memory begins again with small spans. */
TEST(adaptive_does_not_fill_for_a_read_in_a_walk)
{
	static const struct answer write[] = {{1040, 1040, 8, 1, FILL}};
	struct run run = run_of(predict_adaptive, 0);

	assert_int_equal(walk_up(&run, 1000, 3), 1025);
	run.touch.write = false;
	assert_answers(&run, ANSWERS({1025, 1024, 16, 1, SHOW}));
	run.touch.write = true;
	assert_answers(&run, write, COUNT(write));
	run.touch.write = false;
	assert_answers(&run, ANSWERS({5000, 4992, 16, 1, SHOW}));
}

/*
 * It may waste no more than a 32nd of the used pages, or 64 pages, however long the walk is and
 * wherever it passes boundaries of 2 MiB.
 */
TEST(adaptive_fills_in_proportion)
{
	for (uint64_t start = 1000; start < 1000 + HUGE_PAGES; start++) {
		struct run run = run_of(predict_adaptive, 0);
		uint64_t page = walk_up(&run, start, 1), length = 0, pages = 0;

		while (page < run.touch.region_end / 2) {
			struct prediction prediction = touch_page(&run, page);

			pages = prediction.pages;
			assert_int_equal(prediction.first, page);
			assert_int_equal(prediction.bring, BRING_POPULATE);
			assert_in_range(pages, 1, 64 + length / 32);
			page += pages;
			length += pages;
		}
		assert_in_range(pages, 10000, UINT64_MAX); /* it does grow as far as that */
	}
}

/*
 * Small pages up to the first boundary after 4096 of them, then huge ones, all of which are in the
 * region: what is left of it is small again. How many were huge.
 */
static uint64_t walk_with_huge_pages(uint64_t page, uint64_t region_end)
{
	struct run run = run_of(predict_adaptive, 0);
	uint64_t length = 0, huge = 0;

	run.touch.huge_pages = HUGE_ON_ADVICE;
	run.touch.region_end = region_end;
	for (page = walk_up(&run, page, 1); page < region_end;) {
		uint64_t left = (region_end - page) / HUGE_PAGES;
		bool expected = length >= 4096 && page % HUGE_PAGES == 0 && left > 0;
		struct prediction prediction = touch_page(&run, page);

		assert_int_equal(prediction.first, page);
		assert_int_equal(prediction.bring, expected ? BRING_HUGE : BRING_POPULATE);
		if (expected) {
			assert_int_equal(prediction.pages, HUGE_PAGES * (left < 8 ? left : 8));
			huge += prediction.pages;
		} else {
			assert_in_range(prediction.pages, 1, 64 + length / 32);
		}
		page += prediction.pages;
		length += prediction.pages;
	}
	return huge;
}

/* The first page does not count as one of the 4096. The last boundary before 29000 is 28672. */
TEST(adaptive_asks_for_huge_pages_in_long_walks)
{
	for (uint64_t start = 1000; start < 1000 + HUGE_PAGES; start++) {
		uint64_t boundary = (start + 1 + 4096 + HUGE_PAGES - 1) / HUGE_PAGES * HUGE_PAGES;

		assert_int_equal(walk_with_huge_pages(start, 29000), 28672 - boundary);
		/* A page short of the first huge one. */
		assert_int_equal(walk_with_huge_pages(start, boundary + HUGE_PAGES - 1), 0);
		assert_int_equal(walk_with_huge_pages(start, boundary + HUGE_PAGES), HUGE_PAGES);
	}
}

/* ---- whatever the touches are ---- */

#define MAP_PAGES 16384
#ifndef FAULTS
#define FAULTS 100000
#endif

static uint64_t random_state;

/* xorshift64*: any will do, as long as it is the same everywhere. */
static uint64_t random_below(uint64_t bound)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * UINT64_C(2685821657736338717) % bound;
}

/* A made-up program: up to three walks through one region, by a distance each; 0: at random. */
struct program {
	struct touch touch;
	uint64_t walks, left; /* touches before it does something else */
	uint64_t place[3], distance[3];
	bool writes[3];
};

/* The pager's view: which pages of the region are there. */
static bool present[MAP_PAGES];
static uint64_t present_count;

/* Regions at both ends of the address space, and anywhere between. */
static void new_region(struct touch *touch)
{
	uint64_t pages = 1 + random_below(random_below(2) == 0 ? MAP_PAGES : 100);
	uint64_t starts[] = {0, random_below(4096), random_below(PAGE_NUMBERS - pages),
			     PAGE_NUMBERS - pages};

	touch->region_start = starts[random_below(COUNT(starts))];
	touch->region_end = touch->region_start + pages;
	touch->huge_pages = (enum huge_pages)random_below(3);
	touch->copies = random_below(2) != 0;
	memset(present, 0, sizeof(present));
	present_count = 0;
}

static bool region_is_full(const struct touch *touch)
{
	return present_count == touch->region_end - touch->region_start;
}

static void new_phase(struct program *program)
{
	static const uint64_t distances[] = {1, 1, 1, 1, -UINT64_C(1), -UINT64_C(1), 3, 0};

	program->left = UINT64_C(1) << random_below(16);
	program->walks = 1 + random_below(COUNT(program->place));
	for (size_t i = 0; i < program->walks; i++) {
		program->place[i] = random_below(MAP_PAGES);
		program->distance[i] = distances[random_below(COUNT(distances))];
		program->writes[i] = random_below(4) != 0;
	}
	if (random_below(2) == 0 || region_is_full(&program->touch))
		new_region(&program->touch);
}

static uint64_t present_in_block(const struct touch *touch)
{
	uint64_t page = touch->page / HUGE_PAGES * HUGE_PAGES, end = page + HUGE_PAGES, count = 0;

	for (; page < end; page++)
		count += page >= touch->region_start && page < touch->region_end &&
			 present[page - touch->region_start];
	return count;
}

/* The next page that is touched and not there. */
static void next_fault(struct program *program)
{
	struct touch *touch = &program->touch;
	uint64_t index, walk;

	do {
		if (program->left-- == 0 || region_is_full(touch))
			new_phase(program);
		walk = random_below(program->walks);
		program->place[walk] += program->distance[walk];
		if (program->distance[walk] == 0)
			program->place[walk] = random_below(MAP_PAGES);
		index = program->place[walk] % (touch->region_end - touch->region_start);
	} while (present[index]);
	touch->page = touch->region_start + index;
	touch->block_pages = present_in_block(touch);
	touch->write = program->writes[walk];
}

/* As predict.h promises: the pages inside the region are filled, with no more work than that. */
static void bring_in(const struct prediction *prediction, const struct touch *touch)
{
	uint64_t first = prediction->first, step = prediction->step, skipped = 0, pages;

	if (first < touch->region_start)
		skipped = (touch->region_start - first + step - 1) / step;
	assert_in_range(prediction->pages, skipped + 1, UINT64_MAX);
	first += skipped * step;
	assert_in_range(first, touch->region_start, touch->region_end - 1);
	pages = (touch->region_end - first + step - 1) / step;
	if (prediction->pages - skipped < pages)
		pages = prediction->pages - skipped;
	for (uint64_t i = 0; i < pages; i++) {
		uint64_t index = first + i * step - touch->region_start;

		assert_true(index < touch->region_end - touch->region_start);
		present_count += !present[index];
		present[index] = true;
	}
	assert_true(present[touch->page - touch->region_start]);
}

/*
 * With steps, each page takes a separate call. Every policy's prediction contains the touched page.
 */
static void assert_bounded(const struct prediction *prediction, const struct touch *touch,
			   uint64_t most_filled)
{
	assert_true(prediction->step >= 1);
	assert_true(prediction->first <= touch->page);
	assert_int_equal((touch->page - prediction->first) % prediction->step, 0);
	assert_true((touch->page - prediction->first) / prediction->step < prediction->pages);
	assert_true(prediction->step == 1 || prediction->pages <= most_filled);
	assert_true(prediction->bring != BRING_POPULATE || prediction->pages <= most_filled);
	if (prediction->bring == BRING_HUGE || prediction->bring == BRING_BLOCK) {
		assert_int_not_equal(touch->huge_pages, HUGE_NEVER);
		assert_int_equal(touch->huge_pages == HUGE_ALWAYS,
				 prediction->bring == BRING_BLOCK);
		assert_int_equal(prediction->step, 1);
		assert_int_equal(prediction->first % HUGE_PAGES, 0);
		assert_int_equal(prediction->pages % HUGE_PAGES, 0);
		assert_true(prediction->first + prediction->pages <= touch->region_end);
	}
}

/* The promise of each policy about memory that a wrong guess wastes. */
static void assert_worth_it(policy_function *predict, const struct prediction *prediction,
			    const struct touch *touch, uint64_t expected)
{
	enum bring bring = prediction->bring;

	if (predict == predict_none || predict == predict_counter || predict == predict_block)
		assert_int_equal(bring, BRING_REVEAL);
	if (predict == predict_readahead)
		assert_true(bring == BRING_REVEAL || touch->page == expected);
	if (predict == predict_adaptive)
		assert_true(bring == BRING_REVEAL || touch->write);
	else
		assert_true(bring != BRING_HUGE && bring != BRING_BLOCK);
}

/* One program. Its touches are answered twice, by twins: nothing else may decide. */
static void run_program(const struct policy *policy, uint64_t parameter, uint64_t faults)
{
	struct policy_state state = {.parameter = parameter}, twin = state;
	struct program program = {.left = 0};
	uint64_t expected = 0, asked = 0;

	new_region(&program.touch);
	for (uint64_t i = 0; i < faults; i++) {
		struct prediction prediction, again;
		/* The adaptive policy's is no longer than all that it asked for so far. */
		uint64_t most_filled = policy->pages != 0 ? parameter + 1 : 64 + asked / 32;

		next_fault(&program);
		prediction = policy->predict(&state, &program.touch);
		again = policy->predict(&twin, &program.touch);
		assert_memory_equal(&prediction, &again, offsetof(struct prediction, bring));
		assert_int_equal(prediction.bring, again.bring);
		assert_bounded(&prediction, &program.touch, most_filled);
		assert_worth_it(policy->predict, &prediction, &program.touch, expected);
		bring_in(&prediction, &program.touch);
		expected = prediction.first + prediction.pages;
		asked += prediction.bring != BRING_REVEAL ? prediction.pages : 0;
	}
	assert_memory_equal(&state, &twin, sizeof(state));
	assert_int_equal(state.parameter, parameter);
}

static void assert_always_sane(const struct policy *policy, uint64_t parameter)
{
	for (uint64_t left = FAULTS; left > 0;) {
		uint64_t faults = lower(1 + random_below(200), left);

		run_program(policy, parameter, faults);
		left -= faults;
	}
}

TEST(every_policy_is_sane_whatever_is_touched)
{
	random_state = 1;
	for (size_t i = 0; i < policy_count; i++) {
		assert_always_sane(&policies[i], policies[i].pages);
		if (policies[i].pages == 0)
			continue;
		assert_always_sane(&policies[i], policies[i].least_pages);
		assert_always_sane(&policies[i], policies[i].most_pages);
	}
}
