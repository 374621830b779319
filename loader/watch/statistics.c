/* --stats: counts when the program is over and its memory still exists. */
#include "loader/watch/watch.h"

#include "common/kernel_text.h"
#include "common/page.h"
#include "common/pagemap.h"
#include "loader/resident/pager/regions.h"
#include "loader/watch/statistics_print.h"

#include <stdio.h>

static bool was_used(const struct pager *pager, uint64_t bit, uint64_t address,
		     const struct held *held)
{
	return bitmap_get(pager->ahead, bit) &&
	       (!bitmap_get(pager->filled, bit) || !held_is_zero(held, address));
}

struct used_count {
	const struct held *held;
	const struct pager_region *region;
	uint64_t used;
};

static void count_used(uint64_t address, bool of_file, void *context)
{
	struct used_count *count = context;
	uint64_t page = (address - count->region->start) / PAGE_BYTES;

	(void)of_file;
	count->used +=
	    was_used(&resident_pager, count->region->first_bit + page, address, count->held);
}

/*
 * The peak memory of the program in KiB. VmHWM is more precise than ru_maxrss, which may lack what
 * processors have not added up yet.
 */
static long peak_rss(const struct held *held, const struct rusage *usage)
{
	char path[32], text[16 * 1024]; /* an earlier line names all groups of the user */
	const char *status;
	long peak;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)held->holder);
	status = kernel_text(path, text, sizeof(text));
	peak = (long)(kernel_bytes(status, "VmHWM:") / 1024);

	return peak > usage->ru_maxrss ? peak : usage->ru_maxrss;
}

/* Counts the unplaced pages: those on frames that the kernel chose, for whatever reason. */
static void count_pages(const struct guest *guest, int pagemap, struct statistics *statistics)
{
	uint64_t of_places = 0;
	struct mapped at = {.object = NULL};

	while (guest_next_mapping(guest, &at)) {
		uint64_t resident =
		    pagemap_count(pagemap, at.mapping->address, mapping_end(at.mapping));

		statistics->program_pages += at.mapping->length / PAGE_BYTES;
		statistics->resident_pages += resident;
		if (at.object == &guest->objects[PROGRAM] && guest_places(guest, at.mapping))
			of_places += resident;
	}
	if (guest->placement != NULL && of_places > guest->placement->placed)
		statistics->unplaced_pages = of_places - guest->placement->placed;
}

static void gather(const struct guest *guest, const struct held *held,
		   struct statistics *statistics)
{
	count_pages(guest, held->pagemap, statistics);
	for (unsigned i = 0; i < resident_pager.count; i++) {
		struct used_count count = {held, &resident_pager.regions[i], 0};

		pagemap_for_each(held->pagemap, count.region->start, count.region->end, count_used,
				 &count);
		statistics->ahead_used += count.used;
	}
}

void statistics_report(const struct guest *guest, const struct held *held,
		       const struct rusage *usage, int status)
{
	struct statistics statistics = {.status = status, .peak_rss_kb = peak_rss(held, usage)};
	struct output_file output = guest->statistics;

	gather(guest, held, &statistics);
	if (output.name == NULL) {
		statistics_print_text(guest, &statistics);
		return;
	}
	output_file_begin(&output);
	if (output.stream != NULL)
		statistics_print_json(output.stream, guest, &statistics);
	output_file_finish(&output);
}
