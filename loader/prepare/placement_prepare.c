#include "loader/prepare/prepare.h"

#include "common/memory_map.h"
#include "common/page.h"
#include "common/placement/mover.h"
#include "common/report.h"
#include "common/segment_mapper.h"
#include "loader/prepare/placement_prepare.h"
#include "loader/prepare/placement_rules.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Static_assert(PLACE_HINTS_MAX + 1 == RULES_MAX, "rules.h");

bool placement_can_wait(void)
{
	bool waits;
	int mover = mover_open(&waits);

	if (mover >= 0)
		close(mover);
	return mover >= 0;
}

/* Reads the file's part of a page, if the mapping has a file, into a page of zeros elsewhere. */
static bool read_content(const struct object *program, const struct plan_mapping *mapping,
			 uint64_t page, uint64_t into, struct error *error)
{
	return !mapping->from_file ||
	       segments_read_page(mapping, program->file.descriptor, page, (void *)into, error);
}

/*
 * Places a page with its contents: on a frame from the pool or, if there is none, on `ordinary`, a
 * frame of the kernel's choice.
 */
static bool place_page(struct guest *guest, const struct plan_mapping *mapping, int mover,
		       uint64_t page, uint64_t ordinary, struct error *error)
{
	const struct object *program = &guest->objects[PROGRAM];
	uint64_t frame = rules_take(guest->placement, page / PAGE_BYTES);
	long result = -ENOENT;

	if (frame != 0) {
		if (!read_content(program, mapping, page, frame, error))
			return false;
		result = mover_move(mover, frame, page, PAGE_BYTES);
	}
	if (result == 0) {
		rules_count(guest->placement, page / PAGE_BYTES);
		return true;
	}
	*(volatile char *)ordinary = 0;
	if (!read_content(program, mapping, page, ordinary, error))
		return false;
	result = mover_move(mover, ordinary, page, PAGE_BYTES);
	return result == 0 ||
	       error_set(error, EXIT_OURS,
			 "the page 0x%lx cannot be placed: %s; leave out --placement", page,
			 strerror((int)-result));
}

static bool place_mapping(struct guest *guest, const struct plan_mapping *mapping, int mover,
			  struct error *error)
{
	uint64_t start = mapping->address, length = mapping->length;
	void *ordinary = memory_map(length, MAP_NORESERVE);
	long result = ordinary == NULL ? -errno : mover_register(mover, start, length);
	bool good;

	if (result != 0)
		return error_set(error, EXIT_OURS,
				 "0x%lx-0x%lx cannot be placed: %s; leave out --placement", start,
				 start + length, strerror((int)-result));
	good = true;
	for (uint64_t at = 0; good && at < length; at += PAGE_BYTES)
		good =
		    place_page(guest, mapping, mover, start + at, (uint64_t)ordinary + at, error);
	mover_unregister(mover, start, length);
	munmap(ordinary, length);
	return good;
}

/* Empties the pools when all pages are placed. */
static void empty_pools(struct placement *placement)
{
	for (unsigned i = 0; i < placement->count; i++)
		pool_empty(&placement->rules[i].pool);
}

static bool place_before_entry(struct guest *guest, int mover, bool *all, struct error *error)
{
	const struct load_plan *plan = &guest->objects[PROGRAM].plan;

	*all = true;
	for (unsigned i = 0; i < plan->count; i++) {
		const struct plan_mapping *mapping = &plan->mappings[i];

		if (!guest_places(guest, mapping))
			continue;
		/* A page that becomes part of a 2 MiB page would lose its frame. */
		madvise((void *)mapping->address, mapping->length, MADV_NOHUGEPAGE);
		if (mapping->presence == PRESENCE_PLACED &&
		    !place_mapping(guest, mapping, mover, error))
			return false;
		*all &= mapping->presence == PRESENCE_PLACED;
	}
	return true;
}

bool placement_prepare(struct guest *guest, struct error *error)
{
	bool waits, all, good;
	int mover;

	if (!options_place(&guest->options))
		return true;
	mover = mover_open(&waits);
	good = placement_rules_make(guest, mover < 0, &guest->placement, error) &&
	       place_before_entry(guest, mover, &all, error);
	if (mover >= 0)
		close(mover);
	if (!good)
		return false;
	report_detail("%lu pages placed before entry", guest->placement->placed);
	if (all)
		empty_pools(guest->placement);
	else
		resident_pager.placement = guest->placement;
	return true;
}
