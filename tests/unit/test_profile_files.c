/* The files of a profile: their text, and how a run is merged into what is known. */
#include "loader/files/files_text.h"
#include "loader/files/merge.h"
#include "loader/profile/runs.h"
#include "tests/unit/unit.h"

#define KIB    1024
#define RANGES 8

/* Ranges of one file in KiB; those that are not used are all zero. */
struct case_ranges {
	struct file_range ranges[RANGES];
};

#define KIB_RANGES(...) ((struct case_ranges){.ranges = {__VA_ARGS__}})

static void add(struct known_files *files, const char *path, struct case_ranges ranges)
{
	const struct known_file file = {
	    .role = FILE_MAPPED, .size = 1 << 30, .build_id = "-", .path = path};

	assert_true(files_add(files, &file));
	for (unsigned i = 0; i < RANGES && ranges.ranges[i].end > 0; i++) {
		ranges.ranges[i].start *= KIB;
		ranges.ranges[i].end *= KIB;
		files_add_range(files, ranges.ranges[i]);
	}
}

static void assert_ranges(const struct known_files *files, size_t which, struct case_ranges ranges)
{
	const struct known_file *file = &files->files[which];
	size_t count = 0;

	for (; count < RANGES && ranges.ranges[count].end > 0; count++)
		;
	assert_int_equal(file->count, count);
	for (size_t i = 0; i < count; i++) {
		const struct file_range *range = &file->ranges[i];

		assert_int_equal(range->start, ranges.ranges[i].start * KIB);
		assert_int_equal(range->end, ranges.ranges[i].end * KIB);
		assert_int_equal(range->last, ranges.ranges[i].last);
	}
}

/* Merges a run into what `learned` runs have recorded of one file. */
static void assert_merged(uint64_t learned, struct case_ranges known_ranges,
			  struct case_ranges seen_ranges, struct case_ranges expected)
{
	struct known_files known, seen, merged;

	assert_true(files_make(&known) && files_make(&seen) && files_make(&merged));
	known.learned = learned;
	add(&known, "/a", known_ranges);
	add(&seen, "/a", seen_ranges);
	files_merge(&known, &seen, &merged);
	assert_int_equal(merged.learned, learned + 1);
	assert_int_equal(merged.count, 1);
	assert_ranges(&merged, 0, expected);
}

TEST(short_gaps_are_read_too)
{
	struct known_files files;

	assert_true(files_make(&files));
	add(&files, "/a", KIB_RANGES({0, 4, 1}, {16, 20, 1}, {36, 44, 1}, {37, 39, 1}));
	assert_ranges(&files, 0, KIB_RANGES({0, 20, 1}, {36, 44, 1}));
}

TEST(what_a_run_used_is_the_newest)
{
	assert_merged(1, KIB_RANGES({0, 100, 1}), KIB_RANGES({0, 100, 1}), KIB_RANGES({0, 100, 2}));
	/* A new range in the middle: what is left of the older one lies on both sides. */
	assert_merged(1, KIB_RANGES({0, 300, 1}), KIB_RANGES({100, 200, 1}),
		      KIB_RANGES({0, 100, 1}, {100, 200, 2}, {200, 300, 1}));
	/* A new range over several, which begins inside one and ends inside another. */
	assert_merged(1, KIB_RANGES({0, 100, 1}, {200, 300, 1}, {400, 500, 1}),
		      KIB_RANGES({50, 450, 1}),
		      KIB_RANGES({0, 50, 1}, {50, 450, 2}, {450, 500, 1}));
	/* Old and new ranges that lie apart from each other, in turn. */
	assert_merged(1, KIB_RANGES({0, 4, 1}, {400, 404, 1}),
		      KIB_RANGES({200, 204, 1}, {600, 604, 1}),
		      KIB_RANGES({0, 4, 1}, {200, 204, 2}, {400, 404, 1}, {600, 604, 2}));
}

TEST(what_four_runs_have_not_used_falls_out)
{
	assert_merged(4, KIB_RANGES({0, 4, 1}, {200, 204, 2}), KIB_RANGES({400, 404, 1}),
		      KIB_RANGES({200, 204, 2}, {400, 404, 5}));
}

TEST(another_version_of_a_file_begins_anew)
{
	struct known_files known, seen, merged;

	assert_true(files_make(&known) && files_make(&seen) && files_make(&merged));
	known.learned = 1;
	add(&known, "/a", KIB_RANGES({0, 4, 1}));
	add(&known, "/b", KIB_RANGES({0, 8, 1}));
	add(&seen, "/a", KIB_RANGES({800, 900, 1}));
	seen.files[0].size++;
	files_merge(&known, &seen, &merged);
	assert_ranges(&merged, 0, KIB_RANGES({800, 900, 2}));
	/* The older version stays until it has become too old. So does a file that was not seen. */
	assert_int_equal(merged.count, 3);
	assert_string_equal(merged.files[2].path, "/b");
}

TEST(a_program_at_two_paths_is_one_entry)
{
	struct known_files known, seen, merged;

	assert_true(files_make(&known) && files_make(&seen) && files_make(&merged));
	known.learned = 1;
	add(&known, "/one/program", KIB_RANGES({0, 4, 1}));
	add(&known, "/one/data", KIB_RANGES({0, 8, 1}));
	add(&seen, "/two/program", KIB_RANGES({800, 900, 1}));
	known.files[0].role = seen.files[0].role = FILE_PROGRAM;
	files_merge(&known, &seen, &merged);
	assert_int_equal(merged.count, 2);
	assert_string_equal(merged.files[0].path, "/two/program");
	assert_ranges(&merged, 0, KIB_RANGES({0, 4, 1}, {800, 900, 2}));
}

TEST(text_is_read_as_it_was_printed)
{
	struct known_files files, read;
	char *text, *at;
	size_t length;
	FILE *out;

	assert_true(files_make(&files));
	files.learned = 7;
	add(&files, "/a b", KIB_RANGES({0, 4, 1}, {200, 204, 7}));
	add(&files, "/c", KIB_RANGES({8, 12, 3}));
	files.files[1].role = FILE_READ;
	files.files[1].build_id = "c0ffee";
	out = open_memstream(&text, &length);
	assert_non_null(out);
	files_print(&files, out);
	fputs("region 1 2 bss\n", out);
	fclose(out);
	at = text;
	assert_true(files_parse(&at, &read));
	assert_string_equal(at, "region 1 2 bss\n");
	assert_int_equal(read.learned, 7);
	assert_string_equal(read.files[0].path, "/a b");
	assert_ranges(&read, 0, KIB_RANGES({0, 4, 1}, {200, 204, 7}));
	assert_ranges(&read, 1, KIB_RANGES({8, 12, 3}));
	assert_int_equal(read.files[1].role, FILE_READ);
	assert_string_equal(read.files[1].build_id, "c0ffee");
	free(read.files);
	free(read.ranges);
	free(text);
}

TEST(damaged_text_is_refused)
{
	static const char *const texts[] = {
	    "",
	    "learned 1\n",
	    "learned 1\nfiles 1 1\n",
	    "learned 1\nfiles 9999999 1\n",
	    "learned 1\nfiles 1 99999999999\np 1 1 1 1 - /a\n0 1 1\n",
	    "learned 1\nfiles 1 1\nx 1 1 1 1 - /a\n0 1 1\n",
	    "learned 1\nfiles 1 1\np 1 1 1 1 - a\n0 1 1\n",
	    "learned 1\nfiles 1 1\np 1 1 1 1 -\n0 1 1\n",
	    "learned 1\nfiles 1 1\np 1 1 1 2 - /a\n0 1 1\n",
	    "learned 1\nfiles 1 2\np 1 1 1 1 - /a\n0 1 1\n",
	    "learned 1\nfiles 1 1\np 1 1 1 1 - /a\n0 0 1\n",
	    "learned 1\nfiles 1 1\np 1 1 1 1 - /a\n0 1 0\n",
	    "learned 1\nfiles 1 1\np 1 1 1 1 - /a\n0 1 2\n",
	    "learned 1\nfiles 1 1\np 1 1 1 1 - /a\nfffffffffffffff ffffffffffffffff 1\n",
	    "learned 1\nfiles 1 2\np 9 1 1 2 - /a\n0 2 1\n1 2 1\n",
	    /* Numbers that wrap, and numbers that no file has. */
	    "learned 18446744073709551617\nfiles 1 1\np 9 1 1 1 - /a\n0 1 1\n",
	    "learned 4294967297\nfiles 1 1\np 9 1 1 1 - /a\n0 1 1\n",
	    "learned 1\nfiles 1 1\np 10000000000000009 1 1 1 - /a\n0 1 1\n",
	    "learned 1\nfiles 1 1\np 8000000000000000 1 1 1 - /a\n0 1 1\n",
	    "learned 1\nfiles 1 1\np 9 1 1 1 - /a\n9 1 1\n",
	    "learned 1\nfiles 1 1\np 9 1 1 1 - /a\n1 7fffffffffffffff 1\n",
	    "learned 1\nfiles 1 1\np 9 1 1 1 - /a\nffffffffffffffff a7000 1\n",
	    "learned 1\nfiles 1 0\np 9 1 1 0 - /a\n",
	    "learned 1\nfiles 2 2\nm 7fffffffffffffff 1 1 1 - /a\n"
	    "m 9 1 1 1 - /b\n0 7fffffffffffffff 1\n0 1 1\n",
	};

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct known_files files;
		char text[160], *at = text;

		strcpy(text, texts[i]);
		assert_false(files_parse(&at, &files));
		assert_int_equal(files.count, 0);
	}
}

TEST(a_range_is_cut_at_the_end_of_its_file)
{
	char text[] = "learned 1\nfiles 1 1\np 9 1 1 1 - /a\n1 7ffffffffffffffe 1\n", *at = text;
	struct known_files files;

	assert_true(files_parse(&at, &files));
	assert_int_equal(files.files[0].ranges[0].start, 1);
	assert_int_equal(files.files[0].ranges[0].end, 9);
	free(files.files);
	free(files.ranges);
}

TEST(runs_are_found_in_a_range_of_pages)
{
	struct profile_run runs[] = {{1, 2, true}, {3, 1, false}, {10, 90, true}, {200, 1, true}};
	const struct profile profile = {.runs = runs, .count = COUNT(runs)};
	struct profile_run part;
	size_t next = 0;

	assert_true(runs_next(&profile, 2, 50, true, &next, &part));
	assert_int_equal(part.first, 2);
	assert_int_equal(part.pages, 1);
	assert_true(runs_next(&profile, 2, 50, true, &next, &part));
	assert_int_equal(part.first, 10);
	assert_int_equal(part.pages, 40);
	assert_false(runs_next(&profile, 2, 50, true, &next, &part));
	next = 0;
	assert_true(runs_next(&profile, 0, 50, false, &next, &part));
	assert_int_equal(part.first, 3);
	assert_false(runs_next(&profile, 0, 50, false, &next, &part));
	next = 0;
	assert_false(runs_next(&profile, 201, UINT64_MAX, true, &next, &part));
}
