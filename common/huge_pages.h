/*
 * Fills zero-filled memory with huge pages, 2 MiB at a time, at a fourth of the cost of single
 * pages, if all of it will be resident anyway. Host code.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * When the kernel fills 2 MiB at one touch of anonymous memory: never; where it was asked to
 * (MADV_HUGEPAGE); or wherever an aligned 2 MiB block has no page yet.
 */
enum huge_pages { HUGE_NEVER, HUGE_ON_ADVICE, HUGE_ALWAYS };

/*
 * The setting for this process: transparent_hugepage/enabled and that of the size (Linux 6.8) in
 * sysfs, and PR_SET_THP_DISABLE. HUGE_NEVER if nothing can be read.
 */
enum huge_pages huge_pages_setting(void);

/* Whether a range, [start, end), contains a whole huge page. Pure. */
bool huge_block_within(uint64_t start, uint64_t end);

/* A part of a range: addresses, [start, end), multiples of PAGE_BYTES. */
struct huge_range {
	uint64_t start, end; /* start == end: nothing */
};

/*
 * The part of a range that is worth huge pages: those pages of 2 MiB of which it contains more than
 * half. Pure. If there is none, both ends are the range's end.
 */
struct huge_range huge_range_mostly(uint64_t start, uint64_t end);

/*
 * Memory that is filled elsewhere and then replaces a mapping, in one piece, so that the mapping
 * stays one. Only this way can a mapping get a part of a huge page, at a tenth of the cost of as
 * many small pages. All addresses are those of the mapping, multiples of PAGE_BYTES.
 */
struct huge_room {
	uint64_t start, end; /* the mapping */
	uint64_t memory;     /* address of the room */
	uint64_t far;	     /* difference from an address of the mapping to its place in the room,
				modulo 2^64 */
};

/* Returns false if there is not enough address space. An opened room must be closed. */
bool huge_room_open(struct huge_room *room, uint64_t start, uint64_t end);

/*
 * Fills a range from huge_range_mostly() with huge pages, and frees the parts of these that are
 * outside the range. Returns false if the kernel has no huge page, or is older than 6.1. Returns
 * true for an empty range.
 */
bool huge_room_fill(const struct huge_room *room, struct huge_range range);

/*
 * Replaces the mapping, which is private, without a file, and untouched, by the room. Returns
 * false, with nothing changed, if the kernel refuses.
 */
bool huge_room_move(const struct huge_room *room, int protection);

void huge_room_close(const struct huge_room *room);
