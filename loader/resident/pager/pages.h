/*
 * The program's hidden pages, and how they are revealed.
 *
 * A page of a region is hidden until it is revealed, and is never hidden again. From then on only
 * the kernel and the program manage the page; the program may unmap it or map something else there.
 */
#pragma once

#include "loader/resident/pager/regions.h"

#include <stdbool.h>
#include <stdint.h>

/* The region that contains an address, or NULL. */
struct pager_region *pages_region_of(struct pager *pager, uint64_t address);

/*
 * Reveals the hidden pages of a run. If `cause` says populate, they are in memory afterwards.
 * Returns 0 or -errno.
 */
long pages_reveal_run_locked(struct pager *pager, struct pager_region *region, struct page_run run,
			     struct cause cause);

/*
 * Opens the chunks that a run of pages reaches into, and hides the pages of those chunks outside
 * the run. The region must be closable. Returns 0 or -errno.
 */
long pages_open_chunks_locked(struct pager *pager, const struct pager_region *region,
			      struct page_run run);

/*
 * Whether a range overlaps a region, whatever is mapped there now. Any range, as for
 * pages_reveal().
 */
bool pages_overlap(const struct pager *pager, uint64_t start, uint64_t length);

/* Makes the page at an address of a region present and filled. Called before the jump. */
void pages_fill(struct pager *pager, uint64_t address);

/*
 * Reveals the hidden pages of a range, so that the kernel can access it. Any range is allowed: it
 * may overlap no region, overlap many, or reach beyond the end of the address space.
 */
void pages_reveal(struct pager *pager, uint64_t start, uint64_t length);

/*
 * Where an object of unknown length at an address could end: the end of a series of adjacent
 * regions. The series starts at the address, or up to PAGES_NEAR bytes after it, because an object
 * may reach into it from .data. Returns 0 if no page of the series is hidden.
 */
#define PAGES_NEAR (UINT64_C(64) << 10)
uint64_t pages_object_end(const struct pager *pager, uint64_t address);

/*
 * Ends lazy paging (laziness.c): hands all hidden pages to the kernel's own paging. Only the first
 * reason is kept. Takes resident_pager.lock.
 */
void laziness_end(enum retire_reason reason, long call);

/*
 * The debug mode --verify (verify.c): compares the pager's records with the kernel's view of the
 * same memory. If they differ, it prints a sentence and ends the process with status 125.
 */
void verify_pages(void);
void verify_pages_locked(const struct pager *pager); /* the caller holds pager->lock */
