#include "common/huge_pages.h"

#include "common/kernel_abi.h"
#include "common/page.h"

#include <sys/mman.h>

struct huge_range huge_range_within(uint64_t start, uint64_t end)
{
	struct huge_range range = {
	    .start = (start + HUGE_BYTES - 1) & ~(HUGE_BYTES - 1),
	    .end = end & ~(HUGE_BYTES - 1),
	};

	return range.start < range.end ? range : (struct huge_range){end, end};
}

/*
 * MADV_COLLAPSE leaves no mark on the mapping, as MADV_HUGEPAGE would: what the program gives back
 * comes again page by page. It wants a page to begin with.
 */
bool huge_range_fill(struct huge_range range)
{
	uint64_t length = range.end - range.start;

	if (length == 0)
		return true;
	for (uint64_t address = range.start; address < range.end; address += HUGE_BYTES)
		if (madvise((void *)address, PAGE_BYTES, KERNEL_MADV_POPULATE_WRITE) != 0)
			return false;
	return madvise((void *)range.start, length, KERNEL_MADV_COLLAPSE) == 0;
}
