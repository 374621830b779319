/* The states of pages, and how they change. Between pager.c and pages.c; called under pager.lock.
 */
#ifndef LOADER_RESIDENT_PAGES_H
#define LOADER_RESIDENT_PAGES_H

#include "common/page.h"
#include "loader/resident/pager/pager.h"

/* A run of pages inside one region, counted from its start. */
struct page_run {
	uint64_t first, count;
};

/* The region that an address is in, or NULL. */
struct pager_region *pages_region_of(struct pager *pager, uint64_t address);

const struct engine *resident_engine_of(const struct pager *pager,
					const struct pager_region *region);

/* Of a page of a region, counted from its start. */
bool pages_is_revealed(const struct pager *pager, const struct pager_region *region, uint64_t page);

/* Whether the chunk that a page is in has not been opened yet: see struct pager_region. */
bool pages_is_closed(const struct pager *pager, const struct pager_region *region, uint64_t page);

/* Reveals those pages of a run that are hidden; populated ones are in memory then. 0 or -errno. */
long pages_reveal_run_locked(struct pager *pager, struct pager_region *region, struct page_run run,
			     enum bring bring);

/*
 * Opens the chunks that a run of pages reaches into, and hides what of them is not in it. Of a
 * region that is closable. 0 or -errno.
 */
long pages_open_chunks_locked(struct pager *pager, const struct pager_region *region,
			      struct page_run run);

static inline uint64_t region_pages(const struct pager_region *region)
{
	return (region->end - region->start) / PAGE_BYTES;
}

#endif
