/* Placement: which frame is wanted for a page, what the command line says, layouts as text. */
#include "common/placement/layout.h"
#include "common/placement/pool.h"
#include "common/placement/pool_turns.h"
#include "common/placement/strategy.h"
#include "tests/unit/unit.h"

#include <sys/syscall.h>
#include <unistd.h>

static struct frame_strategy parsed(const char *text)
{
	struct frame_strategy strategy;
	struct error error;

	assert_true(strategy_parse("--placement", text, 32, &strategy, &error));
	return strategy;
}

static void assert_wanted(const struct frame_strategy *strategy, uint64_t page, uint64_t order,
			  uint64_t base, uint64_t result)
{
	struct frame_wanted wanted = strategy_wanted(strategy, page, order);

	assert_int_equal(wanted.base, base);
	if (base != FRAME_ANY)
		assert_int_equal(wanted.result, result);
}

/* ---- what is wanted ---- */

TEST(none_wants_nothing)
{
	struct frame_strategy none = parsed("none");

	assert_wanted(&none, 0x400, 0, FRAME_ANY, 0);
	assert_false(strategy_accepts(strategy_wanted(&none, 0x400, 0), 7));
}

TEST(modulo_wants_the_same_for_every_page)
{
	struct frame_strategy modulo = parsed("modulo:10,3");

	assert_wanted(&modulo, 0x400, 0, 10, 3);
	assert_wanted(&modulo, 0x401, 9, 10, 3);
	assert_true(strategy_accepts(strategy_wanted(&modulo, 1, 1), 123));
	assert_false(strategy_accepts(strategy_wanted(&modulo, 1, 1), 124));
}

TEST(coloring_goes_by_the_page)
{
	struct frame_strategy coloring = parsed("coloring:16");

	assert_wanted(&coloring, 0x400, 5, 16, 0);
	assert_wanted(&coloring, 0x41f, 0, 16, 15);
	assert_true(strategy_accepts(strategy_wanted(&coloring, 0x13, 0), 0x70003));
}

TEST(bin_hopping_goes_by_the_order)
{
	struct frame_strategy hopping = parsed("bin-hopping:4"), later = parsed("bin-hopping:4,3");

	for (uint64_t order = 0; order < 9; order++) {
		assert_wanted(&hopping, 0x999 - order * 7, order, 4, order % 4);
		assert_wanted(&later, 0x999 - order * 7, order, 4, (order + 3) % 4);
	}
}

TEST(exact_wants_the_frame_of_the_record)
{
	static const struct frame_record records[] = {{5, 500}, {6, 16}, {9, 0}, {1000, 7}};
	struct frame_strategy exact = parsed("exact:FILE");

	assert_wanted(&exact, 5, 0, FRAME_ANY, 0);
	exact.frames = records;
	exact.frame_count = 4;
	for (size_t i = 0; i < 4; i++)
		assert_wanted(&exact, records[i].page, 3, FRAME_EXACT, records[i].frame);
	assert_wanted(&exact, 0, 0, FRAME_ANY, 0);
	assert_wanted(&exact, 7, 0, FRAME_ANY, 0);
	assert_wanted(&exact, 1001, 0, FRAME_ANY, 0);
	assert_true(strategy_accepts(strategy_wanted(&exact, 6, 0), 16));
	assert_false(strategy_accepts(strategy_wanted(&exact, 6, 0), 32));
}

/* ---- what the command line says ---- */

TEST(texts_come_back)
{
	static const char *const texts[][2] = {
	    {"none", "none"},
	    {"modulo:7,6", "modulo:7,6"},
	    {"coloring:1", "coloring:1"},
	    {"coloring", "coloring:32"},
	    {"bin-hopping", "bin-hopping:32,0"},
	    {"bin-hopping:1048576,5", "bin-hopping:1048576,5"},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct frame_strategy strategy = parsed(texts[i][0]);
		char text[64];

		assert_string_equal(strategy_text(&strategy, text, sizeof(text)), texts[i][1]);
	}
	assert_string_equal(parsed("exact:a:b,c").file, "a:b,c");
}

TEST(other_texts_are_refused)
{
	static const char *const wrong[] = {
	    "none:",
	    "none:1",
	    "exact",
	    "exact:",
	    "modulo",
	    "modulo:5",
	    "modulo:5,5",
	    "modulo:0,0",
	    "modulo:5,",
	    "modulo:,1",
	    "modulo:5,1x",
	    "coloring:",
	    "coloring:0",
	    "coloring:-1",
	    "coloring:16,1",
	    "coloring: 16",
	    "coloring:1048577",
	    "coloring:18446744073709551617",
	    "bin-hopping:4,4",
	    "bin-hopping:4,1,1",
	};
	struct frame_strategy strategy;
	struct error error;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_false(strategy_parse("--placement", wrong[i], 32, &strategy, &error));
		assert_int_equal(error.status, EXIT_OURS);
		assert_non_null(strstr(error.text, "BINS"));
		assert_non_null(strstr(error.text, wrong[i]));
	}
	assert_false(strategy_parse("--placement", "colouring:4", 32, &strategy, &error));
	assert_string_equal(error.text,
			    "--placement=colouring:4 is unknown; did you mean coloring?");
	assert_false(strategy_parse("--placement", "x", 32, &strategy, &error));
	assert_string_equal(error.text, "--placement=x is unknown; there are none, exact, modulo, "
					"coloring and bin-hopping");
}

/* ---- pools ---- */

/* Frames of a color come as often as there are any; others never. */
TEST(a_pool_gives_what_is_wanted_once)
{
	struct pool_entry entries[] = {{32, 0, 0}, {48, 1, 1}, {5, 2, 0}, {64, 3, 2}};
	uint32_t first[16] = {[0] = 4, [5] = 3};
	struct frame_pool pool = {.start = 0x10000,
				  .base = 16,
				  .first = first,
				  .entries = entries,
				  .bins = 16,
				  .left = 4};

	assert_int_equal(pool_take(&pool, (struct frame_wanted){16, 5}), 0x12000);
	assert_int_equal(pool_take(&pool, (struct frame_wanted){16, 5}), 0);
	assert_int_equal(pool_take(&pool, (struct frame_wanted){16, 1}), 0);
	assert_int_equal(pool_take(&pool, (struct frame_wanted){8, 0}), 0);
	assert_int_equal(pool_take(&pool, (struct frame_wanted){FRAME_ANY, 0}), 0);
	assert_int_equal(pool_take(&pool, (struct frame_wanted){16, 0}), 0x13000);
	assert_int_equal(pool_take(&pool, (struct frame_wanted){16, 0}), 0x11000);
	assert_int_equal(pool.left, 1);
	assert_int_equal(pool_take(&pool, (struct frame_wanted){16, 0}), 0x10000);
	assert_int_equal(pool_take(&pool, (struct frame_wanted){16, 0}), 0);
	assert_int_equal(pool.left, 0);
}

/* Frames of other numbers stand in the same bin. */
TEST(a_pool_gives_the_very_frame)
{
	struct pool_entry entries[] = {{7, 0, 0}, {7 + 4, 1, 1}, {7 + 8, 2, 2}};
	uint32_t first[4] = {[3] = 3};
	struct frame_pool pool = {.start = 0x10000,
				  .base = FRAME_EXACT,
				  .first = first,
				  .entries = entries,
				  .bins = 4,
				  .left = 3};

	assert_int_equal(pool_take(&pool, (struct frame_wanted){FRAME_EXACT, 3}), 0);
	assert_int_equal(pool_take(&pool, (struct frame_wanted){FRAME_EXACT, 11}), 0x11000);
	assert_int_equal(pool_take(&pool, (struct frame_wanted){FRAME_EXACT, 11}), 0);
	assert_int_equal(pool_take(&pool, (struct frame_wanted){FRAME_EXACT, 7}), 0x10000);
	assert_int_equal(pool_take(&pool, (struct frame_wanted){FRAME_EXACT, 15}), 0x12000);
	assert_int_equal(pool.left, 0);
}

/* ---- layouts as text ---- */

static char path[] = "/tmp/test_placement.XXXXXX";

static void write_layout(const char *text)
{
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
}

static bool read_layout(struct frame_record **records, uint64_t *count, uint64_t *first)
{
	struct error error;
	bool good = layout_text_read(path, records, count, first, &error);

	if (!good)
		assert_non_null(strstr(error.text, path));
	return good;
}

static int make_file(void **state)
{
	(void)state;
	return mkstemp(path) < 0;
}

TEST_WITHIN(a_layout_is_read_as_it_was_written, make_file, NULL)
{
	static const struct layout_mapping mappings[] = {{.start = 0x400000, .end = 0x403000},
							 {.start = 0x7ff000, .end = 0x803000}};
	static const struct layout_page pages[] = {{.state = LAYOUT_FRAME, .frame = 77},
						   {.state = LAYOUT_NONE},
						   {.state = LAYOUT_NONE},
						   {.state = LAYOUT_FILE},
						   {.state = LAYOUT_HIDDEN},
						   {.state = LAYOUT_FRAME, .frame = 5},
						   {.state = LAYOUT_SWAPPED}};
	struct frame_record *records;
	uint64_t count, first;

	for (int runs = 0; runs < 2; runs++) {
		struct layout_text text = {.file = fopen(path, "w+"), .runs = runs};
		char content[256] = "";

		for (size_t i = 0; i < 7; i++) {
			if (i == 0 || i == 3)
				layout_text_mapping(&mappings[i / 3], &text);
			layout_text_page(&pages[i], &text);
		}
		layout_text_end(&text);
		rewind(text.file);
		assert_true(fread(content, 1, sizeof(content), text.file) > 0);
		fclose(text.file);
		assert_string_equal(
		    content,
		    runs ? "vma:400000 403000:3\n77\nN 2\nvma:7ff000 803000:4\nF\n?\n5\nS\n"
			 : "vma:400000 403000:3\n77\nN\nN\nvma:7ff000 803000:4\nF\n?\n5\nS\n");
		assert_true(read_layout(&records, &count, &first));
		assert_int_equal(first, 0x400000);
		assert_int_equal(count, 2);
		assert_int_equal(records[0].page, 0x400);
		assert_int_equal(records[0].frame, 77);
		assert_int_equal(records[1].page, 0x801);
		assert_int_equal(records[1].frame, 5);
	}
}

TEST(what_is_no_layout_is_refused)
{
	static const char *const wrong[] = {
	    "",
	    "hello\n",
	    "5\n",
	    "vma:1000 2000:1\n",
	    "vma:1000 2000:1\n5\n6\n",
	    "vma:1000 2000:2\n5\n6\n",
	    "vma:1000 2000:1\n5",
	    "vma:1000 2000:1\n5x\n",
	    "vma:1000 2000:1\nX\n",
	    "vma:1000 2000:1\nN 2\n",
	    "vma:1000 3000:2\nN 18446744073709551615\n",
	    "vma:1001 2001:1\n5\n",
	    "vma:2000 1000:1\n5\n",
	    "vma:3000 4000:1\n5\nvma:1000 2000:1\n5\n",
	    "vma:1000 2000:1 x\n5\n",
	};
	struct frame_record *records;
	uint64_t count, first;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		write_layout(wrong[i]);
		assert_false(read_layout(&records, &count, &first));
	}
	unlink(path);
	assert_false(read_layout(&records, &count, &first));
}

/* Replaces the C library's function. The kernel may move the thread right after the answer. */
static unsigned answered;

int sched_getcpu(void)
{
	assert_int_equal(syscall(SYS_getcpu, &answered, NULL, NULL), 0);
	return (int)answered;
}

/*
 * Single pages first, then 2 MiB pages, each on every processor; the thread gets back what it had.
 * During the first turn it may run anywhere.
 */
TEST(a_search_takes_turns)
{
	cpu_set_t before, after;
	struct pool_turns turns;

	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	turns_begin(&turns, 128);
	assert_int_equal(turns.processors[0], answered);
	for (uint64_t piece = 0; piece < 128; piece++) {
		uint64_t turn = piece * 2 * turns.count / 128;

		assert_int_equal(turns_take(&turns, piece), piece >= 64);
		if (turns.count > 1 && turn > 0)
			assert_int_equal(sched_getcpu(), turns.processors[turn % turns.count]);
	}
	turns_end(&turns);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
	/* Where little is looked at, the thread stays where it is. */
	turns_begin(&turns, 16);
	assert_int_equal(turns.count, 1);
}
