/*
 * Filling zero-filled memory by huge pages, 2 MiB at a time, for a fourth of what its pages cost
 * one by one, where all of it is going to be resident anyway. Host code.
 */
#ifndef COMMON_HUGE_PAGES_H
#define COMMON_HUGE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* What of a range is whole huge pages: addresses, [start, end), multiples of HUGE_BYTES. */
struct huge_range {
	uint64_t start, end; /* start == end: nothing */
};

/* Pure. Where there is nothing, both are the range's end. */
struct huge_range huge_range_within(uint64_t start, uint64_t end);

/*
 * Fills it. The memory is private, without a file, writable, and not registered with userfaultfd,
 * or this would wait for ever. False where the kernel has no huge page, or is older than 6.1: then
 * some of it may be there, and the rest is the caller's to populate. True for nothing.
 */
bool huge_range_fill(struct huge_range range);

#endif
