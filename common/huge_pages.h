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

/* Whether a range, [start, end), has a whole huge page. Pure. */
bool huge_block_within(uint64_t start, uint64_t end);

/* A part of a range: addresses, [start, end), multiples of PAGE_BYTES. */
struct huge_range {
	uint64_t start, end; /* start == end: nothing */
};

/*
 * What of a range is worth a huge page: those pages of 2 MiB of which it has more than half. Pure.
 * Where there is none, both ends are the range's end.
 */
struct huge_range huge_range_mostly(uint64_t start, uint64_t end);

/*
 * Memory that is filled elsewhere and then put in the place of a mapping, all of it in one piece,
 * so that the mapping stays one. Only so can a part of a huge page be had, at a tenth of what as
 * many small ones cost. All addresses are those of the mapping, multiples of PAGE_BYTES.
 */
struct huge_room {
	uint64_t start, end; /* the mapping */
	uint64_t memory;     /* where the room begins */
	uint64_t far; /* from an address of the mapping to its place in the room, modulo 2^64 */
};

/* False: there is not so much address space. A room that was opened is closed. */
bool huge_room_open(struct huge_room *room, uint64_t start, uint64_t end);

/*
 * Fills a range that huge_range_mostly() has made, by huge pages, and gives back what of these is
 * outside of it. False where the kernel has no huge page, or is older than 6.1. True for nothing.
 */
bool huge_room_fill(const struct huge_room *room, struct huge_range range);

/*
 * Puts the room in the place of the mapping, which is private, without a file, and untouched.
 * False, with nothing changed, where the kernel refuses.
 */
bool huge_room_move(const struct huge_room *room, int protection);

void huge_room_close(const struct huge_room *room);

#endif
