/*
 * Which pages are revealed. The records cost what is touched: a region without hidden pages needs
 * none, nor does a chunk of which all pages are revealed, or none: its count says so. Only in
 * between does the bitmap have a bit for each page. Pages are counted from their region's start.
 * Async-signal-safe; called under the pager's lock, or before the jump.
 */
#ifndef LOADER_RESIDENT_PAGER_REVEALED_H
#define LOADER_RESIDENT_PAGER_REVEALED_H

#include "loader/resident/pager/regions.h"

bool revealed_includes(const struct pager *pager, const struct pager_region *region, uint64_t page);

/* The first hidden pages of a region from `page` on, below `end`; none: the count is 0. */
struct page_run revealed_next_hidden(const struct pager *pager, const struct pager_region *region,
				     uint64_t page, uint64_t end);

/* From now on all pages of the run are; those that were not go to the log. */
void revealed_mark(struct pager *pager, struct pager_region *region, struct page_run run,
		   enum touch_kind touch);

/* The chunk that a page is in, as far as the region has it. */
struct page_run revealed_chunk(const struct pager_region *region, uint64_t page);

/* Whether the chunk that a page is in has not been opened yet: see struct pager_region. */
bool revealed_is_closed(const struct pager *pager, const struct pager_region *region,
			uint64_t page);

#endif
