/* Ranges of pages: finding one, and making regions up where a recording has none. */
#include "bench/replay/recording.h"

#include <stdlib.h>

#define GAP_PAGES_MAX 512

const struct recording_range *recording_find(const struct recording_ranges *ranges, uint64_t page)
{
	size_t low = 0, high = ranges->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct recording_range *range = &ranges->list[middle];

		if (page < range->first)
			high = middle;
		else if (page - range->first >= range->pages)
			low = middle + 1;
		else
			return range;
	}
	return NULL;
}

/* Space doubles whenever the count is a power of two. */
bool recording_add_range(struct recording_ranges *ranges, struct recording_range range)
{
	if ((ranges->count & (ranges->count - 1)) == 0) {
		size_t space = ranges->count == 0 ? 1 : 2 * ranges->count;
		struct recording_range *longer = realloc(ranges->list, space * sizeof(*longer));

		if (longer == NULL)
			return false;
		ranges->list = longer;
	}
	ranges->list[ranges->count++] = range;
	return true;
}

static int compare_pages(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

static bool add_stretches(struct recording *recording, const uint64_t *pages)
{
	for (size_t i = 0, next; i < recording->touch_count; i = next) {
		struct recording_range region = {.first = pages[i], .kind = RANGE_BSS};

		next = i + 1;
		while (next < recording->touch_count &&
		       pages[next] - pages[next - 1] <= GAP_PAGES_MAX + 1)
			next++;
		region.pages = pages[next - 1] - region.first + 1;
		if (!recording_add_range(&recording->regions, region))
			return false;
	}
	return true;
}

bool recording_guess_regions(struct recording *recording)
{
	uint64_t *pages = malloc((recording->touch_count + 1) * sizeof(*pages));
	bool added;

	if (pages == NULL)
		return false;
	for (size_t i = 0; i < recording->touch_count; i++)
		pages[i] = recording->touches[i].page;
	qsort(pages, recording->touch_count, sizeof(*pages), compare_pages);
	added = add_stretches(recording, pages);
	free(pages);
	recording->regions_guessed = true;
	return added;
}
