/* The memory that was given no strategy. */
#include "common/placement/layout.h"
#include "share/placement/hints.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Address space for the ranges: touched as far as there are any. */
#define ROOM_BYTES (UINT64_C(1) << 26)

/* The mapping that is being read. */
struct gathering {
	struct rest *rest;
	uint64_t page;
	bool may_be_placed;
};

/*
 * Stacks of other threads may be placed; the kernel's areas, which have names in brackets, may not.
 */
static bool may_be_placed(const struct rest *rest, const struct layout_mapping *mapping)
{
	for (size_t i = 0; i < sizeof(rest->without) / sizeof(rest->without[0]); i++)
		if (rest->without[i] >= mapping->start && rest->without[i] < mapping->end)
			return false;
	return !mapping->from_file && mapping->is_private && mapping->is_writable &&
	       (mapping->name[0] != '[' || strcmp(mapping->name, "[heap]") == 0 ||
		strncmp(mapping->name, "[anon:", 6) == 0);
}

static void begin_mapping(const struct layout_mapping *mapping, void *context)
{
	struct gathering *gathering = context;

	gathering->page = mapping->start / PAGE_BYTES;
	gathering->may_be_placed = may_be_placed(gathering->rest, mapping);
}

static void add_page(const struct layout_page *page, void *context)
{
	struct gathering *gathering = context;
	struct rest *rest = gathering->rest;
	struct pool_range *last = rest->count > 0 ? &rest->ranges[rest->count - 1] : NULL;
	uint64_t number = gathering->page++;

	if (!gathering->may_be_placed || page->state == LAYOUT_NONE ||
	    hints_find(rest->hints, number * PAGE_BYTES) != NULL)
		return;
	if (last != NULL && last->first + last->count == number)
		last->count++;
	else if (rest->count < rest->room)
		rest->ranges[rest->count++] = (struct pool_range){number, 1};
}

int rest_gather(struct rest *rest)
{
	struct gathering gathering = {.rest = rest};
	const struct layout_visitor visitor = {begin_mapping, add_page, &gathering};
	struct error error;
	void *memory = mmap(NULL, ROOM_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return -ENOMEM;
	rest->ranges = memory;
	rest->room = (unsigned)(ROOM_BYTES / sizeof(*rest->ranges));
	rest->without[2] = (uint64_t)memory;
	return layout_read(0, 0, UINT64_MAX, &visitor, &error) ? 0 : -EACCES;
}

void rest_forget(struct rest *rest)
{
	if (rest->ranges != NULL)
		munmap(rest->ranges, ROOM_BYTES);
}
