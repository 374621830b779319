#include "bench/replay/lazy_region.h"

/* How many steps cover a distance, the last one going beyond it if need be. */
static uint64_t steps_over(uint64_t distance, uint64_t step)
{
	return distance / step + (distance % step != 0);
}

struct span region_clip(const struct lazy_region *region, const struct prediction *wanted)
{
	uint64_t first = wanted->first, skipped = 0, room;

	if (first < region->low)
		skipped = steps_over(region->low - first, wanted->step);
	if (skipped >= wanted->pages)
		return (struct span){region->low, region->low, 1};
	first += skipped * wanted->step;
	if (first >= region->high)
		return (struct span){region->low, region->low, 1};
	room = steps_over(region->high - first, wanted->step);
	return (struct span){
	    .first = first,
	    .end = first + (lower(room, wanted->pages - skipped) - 1) * wanted->step + 1,
	    .step = wanted->step,
	};
}

struct span region_block(const struct lazy_region *region, uint64_t page)
{
	uint64_t first = page / HUGE_PAGES * HUGE_PAGES;

	if (region->from_file || first < region->low || region->high - first < HUGE_PAGES)
		return (struct span){page, page, 1};
	return (struct span){first, first + HUGE_PAGES, 1};
}

uint64_t region_count(const struct lazy_region *region, struct span block, uint8_t states)
{
	uint64_t count = 0;

	for (uint64_t page = block.first; page < block.end; page++)
		count += (*state_of(region, page) & states) != 0;
	return count;
}
