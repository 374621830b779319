/*
 * The pages of the program that are not there yet, and how they change.
 *
 * A page of a region is hidden until it is revealed, and never hidden again: from then on it is the
 * kernel's and the program's alone, who may unmap it or put something else there.
 */
#ifndef LOADER_RESIDENT_PAGER_PAGES_H
#define LOADER_RESIDENT_PAGER_PAGES_H

#include "loader/resident/pager/regions.h"

#include <stdbool.h>
#include <stdint.h>

/* The region that an address is in, or NULL. */
struct pager_region *pages_region_of(struct pager *pager, uint64_t address);

/* Reveals those pages of a run that are hidden; populated ones are in memory then. 0 or -errno. */
long pages_reveal_run_locked(struct pager *pager, struct pager_region *region, struct page_run run,
			     struct cause cause);

/*
 * Opens the chunks that a run of pages reaches into, and hides what of them is not in it. Of a
 * region that is closable. 0 or -errno.
 */
long pages_open_chunks_locked(struct pager *pager, const struct pager_region *region,
			      struct page_run run);

/* Whether a range reaches into a region, whatever is there by now. Any range, as below. */
bool pages_overlap(const struct pager *pager, uint64_t start, uint64_t length);

/* Makes the page at an address of a region present and filled. Called before the jump. */
void pages_fill(struct pager *pager, uint64_t address);

/*
 * Reveals what is hidden of a range, so that the kernel can access it. Any range: overlapping
 * nothing, many regions, or the end of the address space.
 */
void pages_reveal(struct pager *pager, uint64_t start, uint64_t length);

/*
 * Where an object of unknown length at an address could end: at the end of the regions that follow
 * each other from there, or from PAGES_NEAR bytes further on, where it may reach across from .data.
 * 0 if there is nothing hidden in them.
 */
#define PAGES_NEAR (UINT64_C(64) << 10)
uint64_t pages_object_end(const struct pager *pager, uint64_t address);

/*
 * The end of lazy paging (laziness.c): hands all that is still hidden to the kernel's own paging.
 * Only the first reason is kept. Takes pager->lock.
 */
void laziness_end(struct pager *pager, enum retire_reason reason, long call);

/*
 * verify.c, the debug mode --verify: compares the pager's records with what the kernel says about
 * the same memory, and ends the process with a sentence and status 125 where they differ.
 */
void verify_pages(struct pager *pager);
void verify_pages_locked(const struct pager *pager); /* under pager->lock */

#endif
