/* Sets up the pager before the jump. */
#include "loader/prepare/prepare.h"

#include "common/arch/bytes.h"
#include "common/kernel_abi.h"
#include "common/memory_map.h"
#include "common/page.h"
#include "common/segment_mapper.h"
#include "loader/prepare/engines.h"
#include "loader/prepare/rewrite_prepare.h"
#include "loader/prepare/room.h"
#include "loader/resident/pager/pages.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/*
 * Fills a page with the file's part of a mapping's last page, and zeros after it. Used if the
 * kernel cannot fill that page in place (MADV_POPULATE_WRITE needs Linux 5.14), or cannot move it.
 */
static bool copy_tail(const struct plan_mapping *mapping, int descriptor, uint64_t last, void *page,
		      struct error *error)
{
	int flags = MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS;

	if (mmap(page, PAGE_BYTES, mapping->protection, flags, -1, 0) != page)
		return error_no_memory(error, "to prepare a page");
	return segments_read_page(mapping, descriptor, last, page, error);
}

/*
 * Stages the last page of a file mapping whose end has to be cleared. The page must not be visible
 * to the program before it is cleared, because another thread could read it. So it is finished in
 * place now, moved elsewhere, and moved back when touched. It remains a page of the file, with a
 * name in /proc/self/maps, and dropped pages are read from the file again. It remains of one kind
 * with its neighbors, too, and merges with them into one mapping again: they share the anon_vma,
 * which the kernel keeps for pages that were written.
 */
static bool stage_tail(const struct plan_mapping *mapping, int descriptor, uint64_t *staged,
		       struct error *error)
{
	uint64_t last = mapping_end(mapping) - PAGE_BYTES;
	int flags = MREMAP_MAYMOVE | MREMAP_FIXED | KERNEL_MREMAP_DONTUNMAP;
	void *page = room_take_page(), *from = (void *)last, *moved = MAP_FAILED;

	if (page == NULL)
		return error_no_memory(error, "to prepare a page");
	if (madvise(from, PAGE_BYTES, KERNEL_MADV_POPULATE_WRITE) == 0) {
		memset((void *)mapping->zero_from, 0, last + PAGE_BYTES - mapping->zero_from);
		moved = mremap(from, PAGE_BYTES, PAGE_BYTES, flags, page);
	}
	if (moved != page && !copy_tail(mapping, descriptor, last, page, error))
		return false;
	/* A copy is moved only later. If a filter would deny mremap, it denies this call now. */
	if (moved != page && mremap(page, PAGE_BYTES, PAGE_BYTES, 0) != page)
		return error_set(error, EXIT_OURS,
				 "a page cannot be moved: %s; allow mremap(2), or use "
				 "all_at_once_loader",
				 strerror(errno));
	*staged = (uint64_t)page;
	return true;
}

/* Adds the regions. The counts in *pager and *chunks include all objects so far. */
static bool add_regions(const struct guest *guest, struct pager *pager, uint64_t *chunks,
			struct error *error)
{
	struct mapped at = {.object = NULL};

	while (guest_next_mapping(guest, &at)) {
		const struct plan_mapping *mapping = at.mapping;
		struct pager_region *region;

		if (mapping->presence != PRESENCE_HIDDEN)
			continue;
		region = &pager->regions[pager->count];
		*region = (struct pager_region){
		    .start = mapping->address,
		    .end = mapping_end(mapping),
		    .protection = mapping->protection,
		    .first_bit = pager->hidden,
		    .first_chunk = *chunks,
		    .hidden = mapping->length / PAGE_BYTES,
		    .from_file = mapping->from_file,
		};
		if (mapping_is_staged(mapping) &&
		    !stage_tail(mapping, at.object->file.descriptor, &region->staged, error))
			return false;
		pager->hidden += region->hidden;
		*chunks += region_chunk(region, region->end - 1) + 1;
		pager->count++;
	}
	return true;
}

/* Whether the pages of a region are placed. */
static bool is_placed(const struct guest *guest, const struct pager_region *region)
{
	const struct plan_mapping *mapping =
	    load_plan_find(&guest->objects[PROGRAM].plan, region->start);

	return !region->from_file && mapping != NULL && guest_places(guest, mapping);
}

static bool has_placed(const struct guest *guest, const struct pager *pager)
{
	for (unsigned i = 0; pager->placement != NULL && i < pager->count; i++)
		if (is_placed(guest, &pager->regions[i]))
			return true;
	return false;
}

/* Placed regions are hidden already, by the engine that engine_placed() hides with. */
static void set_placed(const struct guest *guest, struct pager *pager)
{
	pager->engines[2] = engine_placed();
	for (unsigned i = 0; i < pager->count; i++)
		if (is_placed(guest, &pager->regions[i]))
			pager->regions[i].engine = &pager->engines[2];
}

/*
 * Allocates the tables: a count for each chunk, and bitmaps with a bit per page. One bitmap shows
 * which pages are revealed; the statistics need two more. Parts that are never touched take no
 * memory.
 */
static bool allocate_records(const struct guest *guest, struct pager *pager, uint64_t chunks,
			     struct error *error)
{
	uint64_t words = (pager->hidden + 63) / 64, count = guest->options.statistics ? 3 : 1;
	uint64_t bytes = count * words * sizeof(*pager->revealed) + chunks * sizeof(*pager->chunks);
	uint64_t *bitmaps = room_take(bytes);

	if (bitmaps == NULL)
		return error_no_memory(error, "for the records of %lu pages", pager->hidden);
	pager->revealed = bitmaps;
	pager->chunks = (uint16_t *)(bitmaps + count * words);
	bytes_touch(pager->chunks);
	if (guest->options.statistics) {
		pager->ahead = bitmaps + words;
		pager->filled = pager->ahead + words;
	}
	return true;
}

/* Allocates the table that counts each system call, for the statistics. */
static bool allocate_calls(struct pager *pager, struct error *error)
{
	pager->calls = room_take((COUNTED_CALLS + 1) * sizeof(*pager->calls));
	return pager->calls != NULL || error_no_memory(error, "to count system calls");
}

/* Allocates the log for --record: each page has only one first touch. */
static bool allocate_log(struct pager *pager, uint64_t pages, struct error *error)
{
	if (pages < LOG_PAGES_MAX)
		pager->log = memory_map(pages * sizeof(*pager->log), MAP_NORESERVE);
	return pager->log != NULL || error_no_memory(error, "to record %lu pages", pages);
}

bool pager_prepare(const struct guest *guest, bool can_intercept, struct pager *pager,
		   struct error *error)
{
	const struct options *options = &guest->options;
	const char *engine = options->engine;
	uint64_t chunks = 0;
	bool placed;

	userfaultfd_descriptor = -1;
	if (!guest->hides_pages)
		return true;
	if (!add_regions(guest, pager, &chunks, error))
		return false;
	placed = has_placed(guest, pager);
	if (placed)
		engine = "userfaultfd";
	if (ARCH_REWRITES && guest->rewrites && can_intercept && !rewrite_prepare(guest, error))
		return false;
	if (!allocate_records(guest, pager, chunks, error) ||
	    !engines_hide(pager, engine, guest->strategy->fills_ahead, can_intercept, error))
		return false;
	if (placed)
		set_placed(guest, pager);
	pager->huge_pages = guest->huge_pages;
	pager->verify = options->verify;
	if ((options->record != NULL && !allocate_log(pager, pager->hidden, error)) ||
	    (options->statistics && !allocate_calls(pager, error)))
		return false;
	pager->predict = options->record != NULL ? predict_none : options->policy->predict;
	pager->policy.parameter = options->policy_pages;
	pages_fill(pager, guest_entry(guest));
	return true;
}
