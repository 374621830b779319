#include "common/page.h"
#include "common/report.h"
#include "share/order/order.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/memory_map.h"

static int by_number(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* On how many pages the first bytes of the functions are: where each call begins. */
static size_t count_pages(const struct order_list *list)
{
	uint64_t *pages = memory_map(list->count * sizeof(*pages) + 1, MAP_NORESERVE);
	size_t count = 0;

	if (pages == NULL)
		return 0;
	for (size_t i = 0; i < list->count; i++)
		pages[i] = list->lines[i].start / PAGE_BYTES;
	qsort(pages, list->count, sizeof(*pages), by_number);
	for (size_t i = 0; i < list->count; i++)
		count += i == 0 || pages[i] != pages[i - 1];
	return count;
}

void order_show(const struct order_list *list, FILE *out)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < list->count; i++)
		bytes += list->lines[i].size;
	fprintf(out,
		"program    %s\nbuild-id   %s\ncalled     %zu of %" PRIu64
		" functions\nthey begin on %zu page%s",
		list->program, list->build_id, list->count, list->functions, count_pages(list),
		plural(count_pages(list)));
	/* Functions without names have no sizes, either. */
	if (bytes != 0)
		fprintf(out, "; side by side they take %" PRIu64, page_ceil(bytes) / PAGE_BYTES);
	putc('\n', out);
}
