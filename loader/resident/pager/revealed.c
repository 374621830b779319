#include "loader/resident/pager/revealed.h"

#include "common/arch/bytes.h"

#include <stddef.h>

struct page_run revealed_chunk(const struct pager_region *region, uint64_t page)
{
	uint64_t address = region->start + page * PAGE_BYTES;
	uint64_t start = address & ~(CHUNK_BYTES - 1), end = start + CHUNK_BYTES;

	start = start > region->start ? start : region->start;
	end = end < region->end ? end : region->end;
	return (struct page_run){
	    .first = (start - region->start) / PAGE_BYTES,
	    .count = (end - start) / PAGE_BYTES,
	};
}

static uint16_t *revealed_in_chunk(const struct pager *pager, const struct pager_region *region,
				   uint64_t page)
{
	uint64_t address = region->start + page * PAGE_BYTES;

	return &pager->chunks[region->first_chunk + region_chunk(region, address)];
}

/*
 * The first bit from `bit` on, below `end`, that is set (or clear, if !set). Returns `end` if there
 * is none.
 */
static uint64_t find_bit(const uint64_t *bitmap, uint64_t bit, uint64_t end, bool set)
{
	for (; bit < end; bit = (bit | 63) + 1) {
		uint64_t word = (set ? bitmap[bit / 64] : ~bitmap[bit / 64]) >> (bit % 64);

		if (word != 0) {
			bit += (uint64_t)__builtin_ctzll(word);
			break;
		}
	}
	return bit < end ? bit : end;
}

/*
 * The first page from `page` on, below `end`, that is revealed (or hidden, if !revealed). Returns
 * `end` if there is none.
 */
static uint64_t find_page(const struct pager *pager, const struct pager_region *region,
			  uint64_t page, uint64_t end, bool revealed)
{
	if (region->hidden == 0)
		return revealed ? page : end;
	while (page < end) {
		struct page_run chunk = revealed_chunk(region, page);
		uint64_t count = *revealed_in_chunk(pager, region, page);
		uint64_t stop = chunk.first + chunk.count < end ? chunk.first + chunk.count : end;

		if (count != 0 && count != chunk.count)
			page = find_bit(pager->revealed, region->first_bit + page,
					region->first_bit + stop, revealed) -
			       region->first_bit;
		else if ((count != 0) != revealed)
			page = stop;
		if (page < stop)
			return page;
	}
	return end;
}

bool revealed_includes(const struct pager *pager, const struct pager_region *region, uint64_t page)
{
	return find_page(pager, region, page, page + 1, true) == page;
}

struct page_run revealed_next_hidden(const struct pager *pager, const struct pager_region *region,
				     uint64_t page, uint64_t end)
{
	uint64_t first = find_page(pager, region, page, end, false);

	return (struct page_run){
	    .first = first,
	    .count = find_page(pager, region, first, end, true) - first,
	};
}

/*
 * A chunk is opened only when one of its pages is revealed. So a chunk without revealed pages is
 * closed.
 */
bool revealed_is_closed(const struct pager *pager, const struct pager_region *region, uint64_t page)
{
	return region->closable && region->hidden > 0 &&
	       *revealed_in_chunk(pager, region, page) == 0;
}

/* Sets the bits of a run, and logs those that were clear. Returns how many were clear. */
static uint64_t set_bits(struct pager *pager, uint64_t bit, uint64_t count, enum touch_kind touch)
{
	uint64_t end = bit + count, added = 0;

	bytes_touch(&pager->revealed[bit / 64]);
	for (; (bit = find_bit(pager->revealed, bit, end, false)) < end; added++) {
		bitmap_set(pager->revealed, bit);
		if (pager->log != NULL && touch != TOUCH_NONE)
			pager->log[pager->log_count++] = (uint32_t)bit | (uint32_t)touch
									     << LOG_KIND_SHIFT;
	}
	return added;
}

void revealed_mark(struct pager *pager, struct pager_region *region, struct page_run run,
		   enum touch_kind touch)
{
	uint64_t end = run.first + run.count, hidden = region->hidden, stop;

	for (uint64_t page = run.first; page < end; page = stop) {
		struct page_run chunk = revealed_chunk(region, page);
		uint16_t *count = revealed_in_chunk(pager, region, page);
		uint64_t added = chunk.count - *count;

		stop = chunk.first + chunk.count < end ? chunk.first + chunk.count : end;
		if (pager->log != NULL || stop - page != chunk.count)
			added = added == 0
				    ? 0
				    : set_bits(pager, region->first_bit + page, stop - page, touch);
		*count = (uint16_t)(*count + added);
		region->hidden -= added;
	}
	pager->hidden -= hidden - region->hidden;
}
