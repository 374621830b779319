/* What of a range is whole huge pages. */
#include "common/huge_pages.h"
#include "common/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(whole_ones_are_found_wherever_a_range_begins),
	    cmocka_unit_test(without_a_whole_one_nothing_is_left_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
