/* What of a range is whole huge pages, and how it is filled. */
#include "common/huge_pages.h"
#include "common/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

#define H HUGE_BYTES
#define P PAGE_BYTES

static void assert_range(uint64_t start, uint64_t end, uint64_t first, uint64_t last)
{
	struct huge_range range = huge_range_within(start, end);

	assert_int_equal(range.start, first);
	assert_int_equal(range.end, last);
}

static void whole_ones_are_found_wherever_a_range_begins(void **state)
{
	(void)state;
	assert_range(2 * H, 3 * H, 2 * H, 3 * H);
	assert_range(2 * H, 5 * H, 2 * H, 5 * H);
	assert_range(2 * H - P, 3 * H + P, 2 * H, 3 * H);
	assert_range(2 * H + P, 5 * H - P, 3 * H, 4 * H);
}

static void without_a_whole_one_nothing_is_left_at_the_end(void **state)
{
	(void)state;
	assert_range(2 * H, 3 * H - P, 3 * H - P, 3 * H - P);
	assert_range(2 * H + P, 3 * H, 3 * H, 3 * H);
	assert_range(2 * H + P, 4 * H - P, 4 * H - P, 4 * H - P);
	assert_range(2 * H + P, 2 * H + 2 * P, 2 * H + 2 * P, 2 * H + 2 * P);
	assert_range(2 * H, 2 * H, 2 * H, 2 * H);
	assert_true(huge_range_fill(huge_range_within(2 * H, 2 * H)));
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

/* Whatever the kernel's setting is: the way may be another, the result is the same. */
static void what_is_filled_is_resident_zero_and_unmarked(void **state)
{
	char *room = mmap(NULL, 4 * H, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct huge_range range = huge_range_within((uint64_t)room, (uint64_t)room + 4 * H);
	unsigned char there[3 * H / P];

	(void)state;
	assert_ptr_not_equal(room, MAP_FAILED);
	range.end = range.start + 3 * H;
	if (huge_range_fill(range)) {
		assert_int_equal(mincore((void *)range.start, 3 * H, there), 0);
		for (unsigned i = 0; i < 3 * H / P; i++)
			assert_int_equal(there[i] & 1, 1);
	}
	for (const char *byte = (const char *)range.start; byte < (const char *)range.end; byte++)
		assert_int_equal(*byte, 0);
	assert_false(is_marked(room));
	munmap(room, 4 * H);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(whole_ones_are_found_wherever_a_range_begins),
	    cmocka_unit_test(without_a_whole_one_nothing_is_left_at_the_end),
	    cmocka_unit_test(what_is_filled_is_resident_zero_and_unmarked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
