/* How pages are kept from the program and given to it, without userfaultfd. */
#include "bench/experiments/fault_cost.h"
#include "common/kernel_abi.h"
#include "common/page.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

bool hide_not(const struct settings *settings, uint8_t *area)
{
	(void)settings;
	(void)area;
	return true;
}

/* The same file for all passes: the first one has brought it into the page cache. */
bool hide_file(const struct settings *settings, uint8_t *area)
{
	static int file = -1;

	if (file < 0)
		file = reading_file(settings, settings->bytes);
	return mmap(area, settings->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file,
		    0) == area;
}

bool hide_huge(const struct settings *settings, uint8_t *area)
{
	return madvise(area, settings->bytes, MADV_HUGEPAGE) == 0;
}

bool hide_forbid(const struct settings *settings, uint8_t *area)
{
	return mprotect(area, settings->bytes, PROT_NONE) == 0;
}

/*
 * The page in front is written while everything is still one mapping, which gives all of it one
 * anon_vma. Islands that are permitted later then join, instead of adding up to vm.max_map_count.
 */
bool hide_forbid_joined(const struct settings *settings, uint8_t *area)
{
	*(volatile uint8_t *)(area - PAGE_BYTES) = 1;
	return hide_forbid(settings, area);
}

bool hide_guard(const struct settings *settings, uint8_t *area)
{
	if (madvise(area, settings->bytes, KERNEL_MADV_GUARD_INSTALL) == 0)
		return true;
	if (errno == EINVAL)
		reading_fail("the kernel has no MADV_GUARD_INSTALL (Linux 6.13)");
	return false;
}

bool reveal_populate(uint8_t *start, size_t bytes)
{
	if (madvise(start, bytes, KERNEL_MADV_POPULATE_WRITE) == 0)
		return true;
	if (errno == EINVAL)
		reading_fail("the kernel has no MADV_POPULATE_WRITE (Linux 5.14)");
	return false;
}

bool reveal_mmap(uint8_t *start, size_t bytes)
{
	return mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		    -1, 0) == start;
}

bool reveal_mprotect(uint8_t *start, size_t bytes)
{
	return mprotect(start, bytes, PROT_READ | PROT_WRITE) == 0;
}

bool reveal_guard(uint8_t *start, size_t bytes)
{
	return madvise(start, bytes, KERNEL_MADV_GUARD_REMOVE) == 0;
}
