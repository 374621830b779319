/* Replays of written-out recordings, with results computed by hand. */
#include "bench/replay/simulate.h"
#include "bench/replay/recording.h"
#include "loader/cli/policies.h"
#include "tests/unit/unit.h"

#include <inttypes.h>
#include <math.h>

#define HEADER "page-profile 1\nprogram prog\nkey build-id:00\nruns 0\n"

/* ---- recordings ---- */

static bool read_bytes(const char *bytes, size_t length, struct recording *recording,
		       struct error *error)
{
	FILE *file = fmemopen((void *)bytes, length, "r");
	bool read;

	assert_non_null(file);
	read = recording_read(file, "t", recording, error);
	fclose(file);
	return read;
}

static struct recording recording_of(const char *text)
{
	struct recording recording;
	struct error error;

	if (!read_bytes(text, strlen(text), &recording, &error))
		fail_msg("%s", error.text);
	return recording;
}

/* Touches in the same way: `count` pages from `first` on, each `step` from the last one. */
static struct recording walk(const char *regions, uint64_t first, uint64_t count, uint64_t step,
			     char how)
{
	struct recording recording;
	char *text;
	size_t length;
	FILE *file = open_memstream(&text, &length);

	assert_non_null(file);
	fprintf(file, HEADER "%stouches %lu exit\n", regions, count);
	for (uint64_t i = 0; i < count; i++)
		fprintf(file, "%lx %c\n", first + i * step, how);
	fclose(file);
	recording = recording_of(text);
	free(text);
	return recording;
}

/* ---- results ---- */

/* The counts, in a fixed order; time and native in hundredths of microseconds. */
struct expected {
	uint64_t faults, reveals, ahead, ahead_used, wasted, peak;
	double time, native;
};

static void assert_near(double value, double expected, const char *what)
{
	if (fabs(value - expected) > 1e-6)
		fail_msg("%s: %f instead of %f", what, value, expected);
}

static void assert_simulates(const struct recording *recording, struct simulation simulation,
			     const struct expected *expected)
{
	struct simulation_result result;

	simulation.costs = COSTS_DEFAULT;
	assert_true(simulate(recording, &simulation, &result));
	assert_int_equal(result.faults, expected->faults);
	assert_int_equal(result.reveals, expected->reveals);
	assert_int_equal(result.ahead, expected->ahead);
	assert_int_equal(result.ahead_used, expected->ahead_used);
	assert_int_equal(result.wasted, expected->wasted);
	assert_int_equal(result.peak, expected->peak);
	assert_near(result.time, expected->time, "time");
	assert_near(result.native, expected->native, "native");
}

static struct simulation named(const char *name)
{
	struct simulation simulation = {0};
	struct error error;
	const struct policy *policy = policy_parse(name, &simulation.parameter, &error);

	if (policy == NULL)
		fail_msg("%s", error.text);
	simulation.predict = policy->predict;
	return simulation;
}

/* Replays and frees the recording. */
static void assert_replays(struct recording recording, const char *policy, struct expected expected)
{
	assert_simulates(&recording, named(policy), &expected);
	recording_free(&recording);
}

/* ---- a walk ---- */

#define EXACT "region 1000 64 bss\n"
#define WIDE  "region 1000 100 bss\n"

static struct recording sequential(const char *regions)
{
	return walk(regions, 0x1000, 100, 1, 'w');
}

/* Every page: signal 2.6, call 0.6, and the page itself comes populated for 0.98. */
TEST(none_serves_every_page)
{
	assert_replays(sequential(EXACT), "none",
		       (struct expected){100, 100, 0, 0, 0, 100, 100 * 4.18, 143});
	assert_replays(sequential(WIDE), "none",
		       (struct expected){100, 100, 0, 0, 0, 100, 100 * 4.18, 143});
}

/*
 * Touches of pages 0 (alone, so populated), 1 (and 2), and 3, 6, 9, ... 99, each with the next two:
 * 35 signals. 99 pages are left to the kernel, at 1.43 each. The last touch brings in two pages
 * after the walk, if the region goes on there, and nothing is wasted even so.
 */
TEST(counter_serves_a_third_of_the_pages)
{
	const double time = 35 * 3.2 + 0.98 + 99 * 1.43;

	assert_replays(sequential(EXACT), "counter",
		       (struct expected){35, 35, 65, 65, 0, 100, time, 143});
	assert_replays(sequential(WIDE), "counter",
		       (struct expected){35, 35, 67, 65, 0, 100, time, 143});
}

/* Touches of 0, 9, ... 99, and the last one is alone in the region, or brings in 8 for nothing. */
TEST(next_populates_after_each_touch)
{
	assert_replays(sequential(EXACT), "next-8",
		       (struct expected){12, 12, 88, 88, 0, 100, 12 * 3.2 + 98, 143});
	assert_replays(sequential(WIDE), "next-8",
		       (struct expected){12, 12, 96, 88, 8, 108, 12 * 3.2 + 108 * 0.98, 143});
}

/* Page 0, then 8 from 1 on, 16 from 9, 32 from 25, 64 from 57 up to the region's end or to 120. */
TEST(adaptive_doubles)
{
	assert_replays(sequential(EXACT), "adaptive",
		       (struct expected){5, 5, 95, 95, 0, 100, 5 * 3.2 + 98, 143});
	assert_replays(sequential(WIDE), "adaptive",
		       (struct expected){5, 5, 116, 95, 21, 121, 5 * 3.2 + 121 * 0.98, 143});
}

/* Two blocks of 64: their pages are revealed in one call each, and filled by the kernel. */
TEST(block_leaves_pages_to_the_kernel)
{
	assert_replays(sequential(WIDE), "block",
		       (struct expected){2, 2, 126, 98, 0, 100, 2 * 3.2 + 143, 143});
}

/* ---- at random ---- */

/*
 * Seven touches far apart, at distances that all differ. The first three come alone; then 64, 1024,
 * 16384 and all pages are revealed around them, none of which holds another touch.
 */
static struct recording scattered(void)
{
	return recording_of(HEADER "region 10000 10000 bss\ntouches 7 exit\n10000 w\n11388 w\n"
				   "14e20 w\n19c40 w\n1f230 w\n12710 w\n17530 w\n");
}

TEST(scattered_touches_waste_nothing)
{
	/* The first three come populated, the others revealed. */
	const double adaptive = 7 * 3.2 + 3 * 0.98 + 4 * 1.43;

	assert_replays(scattered(), "none",
		       (struct expected){7, 7, 0, 0, 0, 7, 7 * 4.18, 7 * 1.43});
	assert_replays(scattered(), "adaptive",
		       (struct expected){7, 7, 65536 - 7, 0, 0, 7, adaptive, 7 * 1.43});
	assert_replays(scattered(), "next-8",
		       (struct expected){7, 7, 56, 0, 56, 63, 7 * 3.2 + 63 * 0.98, 7 * 1.43});
}

/* The third touch finds the distance. It brings in four pages, the seventh touch eight. */
TEST(touches_at_equal_distances_come_ahead)
{
	assert_replays(
	    walk("region 10000 10000 bss\n", 0x10000, 8, 5000, 'w'), "adaptive",
	    (struct expected){4, 14, 10, 4, 6, 14, 4 * 3.2 + 10 * 0.6 + 14 * 0.98, 8 * 1.43});
}

/* ---- kinds of touches and of regions ---- */

/*
 * 10 is read, 11 is read and written later, 12 is for a call, 13 for a call that only read, 14 is
 * written, and again. A read comes revealed, so that the kernel maps its zeros for 0.7.
 */
TEST(reads_and_calls_cost_what_they_cost)
{
	static const char text[] = "page-profile 1\nprogram prog\nkey file:1\nruns 3\n"
				   "10 1 r\n11 2 w\n13 1 r\n"
				   "region 10 8 bss\n"
				   "touches 6 retired\n10 r\n11 r\n12 c\n13 c\n14 w\n14 w\n";
	const double calls = 3 * 2.6 + 5 * 0.6, pages = 0.7 + 1.43 + 1.43 + 0.7 + 0.98;
	struct recording recording = recording_of(text);

	assert_false(recording.complete);
	assert_string_equal(recording.program, "prog");
	assert_replays(recording, "none",
		       (struct expected){3, 5, 0, 0, 0, 3, calls + pages, 3 * 1.43 + 2 * 0.7});
}

/* 12 has come with 10, so neither the policy nor the engine sees the call that touches it. */
TEST(a_call_may_find_its_page)
{
	assert_replays(recording_of(HEADER "region 10 8 bss\ntouches 2 exit\n10 w\n12 c\n"),
		       "next-2", (struct expected){1, 1, 2, 1, 1, 3, 3.2 + 3 * 0.98, 2 * 1.43});
}

/* Pages of a file are revealed, never populated, and read for the price of any page. */
TEST(files_are_lazy_when_asked_for)
{
	static const char text[] = HEADER "region 1 4 file\nregion 5 4 bss\n"
					  "touches 5 exit\n1 r\n2 r\n5 w\n6 w\n99 w\n";
	struct recording recording = recording_of(text);
	struct simulation simulation = named("next-1");

	assert_simulates(&recording, simulation,
			 &(struct expected){1, 1, 1, 1, 0, 2, 3.2 + 2 * 0.98, 2 * 1.43});
	simulation.files = true;
	assert_simulates(
	    &recording, simulation,
	    &(struct expected){2, 2, 2, 2, 0, 4, 2 * 3.2 + 2 * 1.43 + 2 * 0.98, 4 * 1.43});
	recording_free(&recording);
}

/* 513 apart is 512 between them: one region. 514 apart are two. */
TEST(regions_are_guessed)
{
	struct recording recording =
	    recording_of(HEADER "touches 5 exit\n1000 w\n1201 w\n5000 r\n900 w\n5202 w\n");
	static const struct recording_range expected[] = {
	    {0x900, 1, RANGE_BSS},
	    {0x1000, 0x202, RANGE_BSS},
	    {0x5000, 1, RANGE_BSS},
	    {0x5202, 1, RANGE_BSS},
	};

	assert_true(recording.regions_guessed);
	assert_int_equal(recording.regions.count, COUNT(expected));
	for (size_t i = 0; i < COUNT(expected); i++) {
		assert_int_equal(recording.regions.list[i].first, expected[i].first);
		assert_int_equal(recording.regions.list[i].pages, expected[i].pages);
		assert_int_equal(recording.regions.list[i].kind, expected[i].kind);
	}
	recording_free(&recording);
}

/* ---- predictions of every shape ---- */

static struct prediction fixed;

static struct prediction predict_fixed(struct policy_state *state, const struct touch *touch)
{
	(void)state;
	(void)touch;
	return fixed;
}

static void assert_fixed(struct prediction prediction, struct recording recording,
			 struct expected expected)
{
	fixed = prediction;
	assert_simulates(
	    &recording, (struct simulation){.predict = predict_fixed, .huge_pages = HUGE_ON_ADVICE},
	    &expected);
	recording_free(&recording);
}

/* The touched page is revealed by a separate call, whatever the policy predicts. */
TEST(predictions_are_cut_at_the_region)
{
	const struct expected alone = {1, 1, 0, 0, 0, 1, 3.2 + 1.43, 1.43};
	const struct recording_range region = {0x1000, 16, RANGE_BSS};
	static const char text[] = "region 1000 10 bss\n";

	assert_fixed((struct prediction){0, 2, 1, BRING_POPULATE, REASON_TOUCHED},
		     walk(text, 0x1008, 1, 1, 'w'), alone);
	assert_fixed((struct prediction){0x1010, 2, 1, BRING_POPULATE, REASON_TOUCHED},
		     walk(text, 0x1008, 1, 1, 'w'), alone);
	assert_fixed((struct prediction){0xfff, UINT64_MAX, 3, BRING_POPULATE, REASON_TOUCHED},
		     walk(text, 0x1008, 1, 1, 'w'),
		     (struct expected){1, 5, 4, 0, 4, 5, 2.6 + 5 * 0.6 + 5 * 0.98, 1.43});
	assert_fixed((struct prediction){0, UINT64_MAX, 1, BRING_POPULATE, REASON_TOUCHED},
		     walk(text, region.first, 16, 1, 'w'),
		     (struct expected){1, 1, 15, 15, 0, 16, 3.2 + 16 * 0.98, 16 * 1.43});
	/* 0xffe, 0x1001, 0x1004, 0x1007: three of them are inside, and so is the touched one. */
	assert_fixed((struct prediction){0xffe, 4, 3, BRING_REVEAL, REASON_TOUCHED},
		     walk(text, 0x1008, 1, 1, 'w'),
		     (struct expected){1, 4, 3, 0, 0, 1, 2.6 + 4 * 0.6 + 1.43, 1.43});
}

/* Page 5 is there, so that the run around it takes two calls; with 64 pages revealed, one. */
TEST(a_run_is_revealed_piece_by_piece)
{
	static const char text[] = HEADER "region 0 40 bss\ntouches 2 exit\n5 c\n0 w\n";

	assert_fixed((struct prediction){0, 8, 1, BRING_REVEAL, REASON_TOUCHED}, recording_of(text),
		     (struct expected){1, 3, 6, 0, 0, 2, 2.6 + 3 * 0.6 + 2 * 1.43, 2 * 1.43});
	assert_fixed((struct prediction){0, 64, 1, BRING_REVEAL, REASON_TOUCHED},
		     recording_of(text),
		     (struct expected){1, 2, 62, 0, 0, 2, 2.6 + 2 * 0.6 + 2 * 1.43, 2 * 1.43});
}

/* 2 MiB are filled at the first touch, where all of them are advised. */
TEST(huge_pages_come_whole)
{
	const struct prediction huge = {0x200, 0x200, 1, BRING_HUGE, REASON_STREAM_HUGE};
	struct simulation simulation = {.predict = predict_fixed, .huge_pages = HUGE_NEVER};
	struct recording recording = walk("region 0 400 bss\n", 0x200, 2, 1, 'w');

	assert_fixed(huge, walk("region 0 400 bss\n", 0x200, 2, 1, 'w'),
		     (struct expected){1, 1, 511, 1, 510, 512, 3.2 + 512 * 0.26, 2 * 1.43});
	assert_fixed(huge, walk("region 0 3ff bss\n", 0x200, 2, 1, 'w'),
		     (struct expected){1, 1, 510, 1, 0, 2, 3.2 + 2 * 1.43, 2 * 1.43});
	assert_fixed(huge, walk("region 0 400 bss\n", 0x200, 2, 1, 'r'),
		     (struct expected){1, 1, 511, 1, 0, 0, 3.2 + 2 * 0.7, 2 * 0.7});
	/* The policy wants them from 0x200 on at both touches, and gets that page, populated. */
	assert_simulates(&recording, simulation,
			 &(struct expected){2, 2, 0, 0, 0, 2, 2 * 3.2 + 0.98 + 1.43, 2 * 1.43});
	recording_free(&recording);
}

/* 2 MiB are filled at the first touch of what is revealed; a page that is there takes a collapse.
 */
TEST(blocks_come_whole_where_huge_pages_always_do)
{
	const struct simulation simulation = {.predict = predict_fixed, .huge_pages = HUGE_ALWAYS};
	struct recording stream = walk("region 0 400 bss\n", 0x200, 2, 1, 'w');
	struct recording again =
	    recording_of(HEADER "region 0 400 bss\ntouches 2 exit\n205 c\n200 w\n");
	double block = 512 * 0.26;

	fixed = (struct prediction){0x200, 0x200, 1, BRING_BLOCK, REASON_BLOCK_STREAM};
	assert_simulates(&stream, simulation,
			 &(struct expected){1, 1, 511, 1, 510, 512, 3.2 + block, block});
	assert_simulates(
	    &again, simulation,
	    &(struct expected){1, 2, 510, 0, 510, 512, 0.6 + 1.43 + 3.2 + 170 + block, block});
	recording_free(&stream);
	recording_free(&again);
}

/* ---- files that are no recordings ---- */

static const struct {
	const char *text, *message;
} malformed[] = {
    {"", "t:1: the file ends where 'page-profile 1' should be"},
    {"page-profile 2\n",
     "t:1: the file is no page profile of version 1, which --record=FILE writes"},
    {"page-profile 1\nprogram\n", "t:2: expected 'program' and its name"},
    {"page-profile 1\nprogram p\nkey\n", "t:3: expected 'key' and its value"},
    {"page-profile 1\nprogram p\nkey k\nruns\n", "t:4: expected 'runs' and how many there are"},
    {"page-profile 1\nprogram p\nkey k\nruns -1\n", "t:4: expected 'runs' and how many there are"},
    {"page-profile 1\nprogram p\nkey k\nruns 2\n1 1 w\n",
     "t:6: the file ends where a run should be"},
    {"page-profile 1\nprogram p\nkey k\nruns 2\n1 2 w\n2 1 r\n",
     "t:6: the pages do not come after those of the line before"},
    {"page-profile 1\nprogram p\nkey k\nruns 1\n0x1 2 w\n",
     "t:5: expected a first page, a number of pages, and w or r"},
    {"page-profile 1\nprogram p\nkey k\nruns 1\n1 0 w\n", "t:5: there are no such pages"},
    {"page-profile 1\nprogram p\nkey k\nruns 1\n1 fffffffffffffffff w\n",
     "t:5: expected a first page, a number of pages, and w or r"},
    {HEADER "region 1 ffffffffffffffff bss\n", "t:5: there are no such pages"},
    {HEADER "region 1 10000000 bss\nregion 20000000 1 bss\n",
     "t:6: the regions are larger than 1 TiB"},
    {HEADER "region 1 1 text\n", "t:5: expected a first page, a number of pages, and bss or file"},
    {HEADER "hello\n", "t:5: expected a region, or 'touches', their number, and exit or retired"},
    {HEADER "touches 1\n",
     "t:5: expected a region, or 'touches', their number, and exit or retired"},
    {HEADER "touches 18446744073709551615 exit\n1 r\n",
     "t:7: the file ends where a touch should be"},
    {HEADER "touches 1 exit\n1 x\n", "t:6: expected a page, and r, w or c"},
    {HEADER "touches 1 exit\n1  r\n", "t:6: expected a page, and r, w or c"},
    {HEADER "touches 1 exit\n10000000000000 r\n", "t:6: there is no such page"},
    {HEADER "touches 1 exit\n1 r\n2 r\n", "t:7: expected the end of the file"},
};

TEST(malformed_files_are_told_by_line)
{
	struct recording recording;
	struct error error;

	for (size_t i = 0; i < COUNT(malformed); i++) {
		/* fmemopen takes no empty buffer, and adds nothing to one of a single NUL. */
		size_t length = strlen(malformed[i].text);
		FILE *file = length > 0 ? fmemopen((void *)malformed[i].text, length, "r")
					: fopen("/dev/null", "r");

		assert_non_null(file);
		assert_false(recording_read(file, "t", &recording, &error));
		assert_string_equal(error.text, malformed[i].message);
		fclose(file);
	}
}

static const char whole[] = "page-profile 1\nprogram prog\nkey file:1\nruns 2\n10 1 r\n11 2 w\n"
			    "region 10 8 bss\nregion 18 4 file\n"
			    "touches 4 exit\n10 r\n12 c\n14 w\n19 r\n";

/* Only the last newline may be missing. */
TEST(truncated_files_are_refused)
{
	struct recording recording;
	struct error error;

	for (size_t length = 1; length + 2 < sizeof(whole); length++)
		assert_false(read_bytes(whole, length, &recording, &error));
	assert_true(read_bytes(whole, sizeof(whole) - 2, &recording, &error));
	recording_free(&recording);
	assert_true(read_bytes(whole, sizeof(whole) - 1, &recording, &error));
	recording_free(&recording);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Whatever still is a recording can be replayed under every policy, and its sums are right. */
static void replay_everything(const struct recording *recording)
{
	for (size_t i = 0; i < policy_count; i++) {
		struct simulation simulation = {
		    .predict = policies[i].predict,
		    .parameter = policies[i].pages,
		    .costs = COSTS_DEFAULT,
		    .files = true,
		};
		struct simulation_result result;

		assert_true(simulate(recording, &simulation, &result));
		assert_true(result.touched <= result.pages && result.peak <= result.pages);
		assert_true(result.faults + result.ahead_used <= result.touched);
		assert_true(result.ahead_used <= result.ahead && result.wasted <= result.ahead);
	}
}

/* Letters that recordings are made of come more often, so that some recordings stay recordings. */
TEST(damaged_files_never_crash)
{
	static const char letters[] = "0123456789abcdef rwc\nfffff";
	uint64_t seed =
	    getenv("SEED") != NULL ? strtoull(getenv("SEED"), NULL, 10) : 88172645463325252u;
	size_t good = 0;

	print_message("again: SEED=%" PRIu64 " build/musl-release/unit/test_replay\n", seed);
	for (unsigned round = 0; round < 20000; round++) {
		char text[sizeof(whole)];
		struct recording recording;
		struct error error;

		memcpy(text, whole, sizeof(whole));
		for (uint64_t i = next_random(&seed) % 4 + 1; i > 0; i--) {
			char *at = &text[next_random(&seed) % (sizeof(whole) - 1)];

			*at = letters[next_random(&seed) % (sizeof(letters) - 1)];
			if (next_random(&seed) % 8 == 0)
				*at = (char)next_random(&seed);
		}
		if (!read_bytes(text, sizeof(whole) - 1, &recording, &error))
			continue;
		good++;
		replay_everything(&recording);
		recording_free(&recording);
	}
	assert_true(good > 1000);
}
