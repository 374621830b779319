/* The part of a range that is whole huge pages, and how it is filled. */
#include "common/huge_pages.h"
#include "common/page.h"
#include "tests/unit/unit.h"

#include <sys/mman.h>

#define H HUGE_BYTES
#define P PAGE_BYTES

static void assert_range(uint64_t start, uint64_t end, uint64_t first, uint64_t last)
{
	struct huge_range range = huge_range_mostly(start, end);

	assert_int_equal(range.start, first);
	assert_int_equal(range.end, last);
}

TEST(a_page_of_which_more_than_half_is_there_is_taken)
{
	assert_range(2 * H, 3 * H, 2 * H, 3 * H);
	assert_range(2 * H, 5 * H, 2 * H, 5 * H);
	assert_range(2 * H - P, 3 * H + P, 2 * H, 3 * H);
	assert_range(2 * H + P, 5 * H - P, 2 * H + P, 5 * H - P);
	assert_range(2 * H + H / 2 - P, 3 * H, 2 * H + H / 2 - P, 3 * H);
	assert_range(2 * H, 3 * H + H / 2 + P, 2 * H, 3 * H + H / 2 + P);
	assert_range(2 * H + P, 3 * H + H / 2, 2 * H + P, 3 * H);
	assert_range(2 * H + P, 2 * H + H / 2 + 2 * P, 2 * H + P, 2 * H + H / 2 + 2 * P);
}

/* Two ranges never have the same page, then. */
TEST(a_page_of_which_half_is_there_is_not)
{
	assert_range(2 * H + H / 2, 3 * H, 3 * H, 3 * H);
	assert_range(2 * H, 2 * H + H / 2, 2 * H + H / 2, 2 * H + H / 2);
	assert_range(2 * H + H / 4, 2 * H + H / 4 * 3, 2 * H + H / 4 * 3, 2 * H + H / 4 * 3);
	assert_range(2 * H + H / 2, 3 * H + H / 2, 3 * H + H / 2, 3 * H + H / 2);
	assert_range(2 * H, 2 * H, 2 * H, 2 * H);
}

TEST(a_whole_page_within)
{
	assert_true(huge_block_within(2 * H, 3 * H));
	assert_true(huge_block_within(2 * H - P, 3 * H + P));
	assert_false(huge_block_within(2 * H + P, 3 * H));
	assert_false(huge_block_within(2 * H + P, 4 * H - P));
	assert_false(huge_block_within(2 * H, 2 * H));
}

/* Whether smaps has the flag of MADV_HUGEPAGE for the mapping that begins at the address. */
static bool is_marked(const char *address)
{
	FILE *smaps = fopen("/proc/self/smaps", "r");
	bool inside = false, marked = false;
	char line[256], first[32];

	assert_non_null(smaps);
	snprintf(first, sizeof(first), "%lx-", (unsigned long)address);
	while (fgets(line, sizeof(line), smaps) != NULL) {
		if (strncmp(line, first, strlen(first)) == 0)
			inside = true;
		if (inside && strncmp(line, "VmFlags:", 8) == 0) {
			marked = strstr(line, " hg") != NULL;
			inside = false;
		}
	}
	fclose(smaps);
	return marked;
}

static void assert_pages(const char *start, uint64_t pages, bool expected)
{
	unsigned char there[4 * H / P];

	assert_int_equal(mincore((void *)start, pages * P, there), 0);
	for (uint64_t i = 0; i < pages; i++)
		assert_int_equal(there[i] & 1, expected);
}

/* Whatever the kernel's setting is: the way may be another, the result is the same. */
TEST(what_is_filled_is_resident_zero_and_unmarked)
{
	char *mapping = mmap(NULL, 4 * H, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t start = (uint64_t)mapping + 3 * P;
	struct huge_room room;
	struct huge_range range;

	assert_ptr_not_equal(mapping, MAP_FAILED);
	assert_true(huge_room_open(&room, (uint64_t)mapping, (uint64_t)mapping + 4 * H));
	range = huge_range_mostly(start, start + 2 * H + H / 2);
	assert_true(range.start < range.end);
	if (huge_room_fill(&room, range)) {
		assert_true(huge_room_move(&room, PROT_READ));
		assert_pages(mapping, (range.start - (uint64_t)mapping) / P, false);
		assert_pages((char *)range.start, (range.end - range.start) / P, true);
		assert_pages((char *)range.end, ((uint64_t)mapping + 4 * H - range.end) / P, false);
	}
	huge_room_close(&room);
	for (const char *byte = mapping; byte < mapping + 4 * H; byte++)
		assert_int_equal(*byte, 0);
	assert_false(is_marked(mapping));
	munmap(mapping, 4 * H);
}
