/*
 * Filling zero-filled memory by huge pages, 2 MiB at a time, for a fourth of what its pages cost
 * one by one, where all of it is going to be resident anyway. Host code.
 */
#ifndef COMMON_HUGE_PAGES_H
#define COMMON_HUGE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * When the kernel fills 2 MiB at one touch of anonymous memory: never, where it was asked to
 * (MADV_HUGEPAGE), or wherever no page of an aligned 2 MiB block is there yet.
 */
enum huge_pages { HUGE_NEVER, HUGE_ON_ADVICE, HUGE_ALWAYS };

/*
 * The setting for this process: transparent_hugepage/enabled and that of the size (Linux 6.8) in
 * sysfs, and PR_SET_THP_DISABLE. HUGE_NEVER where nothing can be read.
 */
enum huge_pages huge_pages_setting(void);

/* What of a range is whole huge pages: addresses, [start, end), multiples of HUGE_BYTES. */
struct huge_range {
	uint64_t start, end; /* start == end: nothing */
};

/* Pure. Where the range has no whole huge page, both ends are the range's end. */
struct huge_range huge_range_within(uint64_t start, uint64_t end);

/*
 * Fills a range by huge pages. Its memory is private, without a file, writable, and not registered
 * with userfaultfd, for which the kernel would wait for ever. False where the kernel has no huge
 * page, or is older than 6.1: then some of the range may be filled, and the caller populates the
 * rest. True for an empty range. For a moment it takes as much address space again.
 */
bool huge_range_fill(struct huge_range range);

#endif
