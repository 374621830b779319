/*
 * Records of which pages are revealed. Their cost is proportional to the pages touched. A region
 * without hidden pages needs no record. A chunk that is entirely hidden or entirely revealed needs
 * only its count. Other chunks have a bit per page in the bitmap. Pages are counted from their
 * region's start. All functions are async-signal-safe, and are called under the pager's lock or
 * before the jump.
 */
#pragma once

#include "loader/resident/pager/regions.h"

bool revealed_includes(const struct pager *pager, const struct pager_region *region, uint64_t page);

/*
 * The first run of hidden pages of a region that starts at `page` or later, below `end`. Its count
 * is 0 if there is none.
 */
struct page_run revealed_next_hidden(const struct pager *pager, const struct pager_region *region,
				     uint64_t page, uint64_t end);

/* Marks all pages of a run as revealed. Pages that were hidden are added to the log. */
void revealed_mark(struct pager *pager, struct pager_region *region, struct page_run run,
		   enum touch_kind touch);

/* The part of a page's chunk that lies inside the region. */
struct page_run revealed_chunk(const struct pager_region *region, uint64_t page);

/* Whether a page's chunk has not been opened yet: see struct pager_region. */
bool revealed_is_closed(const struct pager *pager, const struct pager_region *region,
			uint64_t page);
