/*
 * The arena of the experiment `prefault`: a bump allocator that may prefault a megabyte when an
 * allocation first enters it. A page then costs its share of one call instead of a fault.
 */
#include "bench/experiments/prefault_arena.h"
#include "bench/shared/statistics.h"

#include <sys/mman.h>

#define MEGABYTE ((size_t)1 << 20)

/*
 * Objects have 64 to 512 bytes, so several begin in every page. Their sizes are drawn beforehand:
 * a random number takes as long as an allocation. The table stays in the first-level cache.
 */
enum { SIZES = 1024, SIZE_LEAST = 64, SIZE_MOST = 512, SIZE_STEP = 16 };

static uint16_t sizes[SIZES];

struct arena {
	char *next, *end;
	char *entered; /* all below is prefaulted; the end in an arena that does not */
};

void arena_draw_sizes(uint64_t seed)
{
	const uint64_t choices = (SIZE_MOST - SIZE_LEAST) / SIZE_STEP + 1;

	for (size_t i = 0; i < SIZES; i++)
		sizes[i] =
		    (uint16_t)(SIZE_LEAST + SIZE_STEP * (statistics_random(&seed) % choices));
}

/* Not inlined: only one in thousands of objects enters a megabyte. */
__attribute__((noinline)) static void enter_megabyte(struct arena *arena)
{
	size_t left = (size_t)(arena->end - arena->entered);
	size_t bytes = left < MEGABYTE ? left : MEGABYTE;

	way_populate(arena->entered, bytes, MADV_POPULATE_WRITE);
	arena->entered += bytes;
}

/* NULL when it is full. */
static char *arena_allocate(struct arena *arena, size_t bytes)
{
	char *object = arena->next;

	if (bytes > (size_t)(arena->end - object))
		return NULL;
	arena->next = object + bytes;
	/* Also when only the object's last byte is in the next megabyte. */
	if (__builtin_expect(arena->next > arena->entered, 0))
		enter_megabyte(arena);
	return object;
}

void arena_touch(const struct way *way, const struct area *area)
{
	struct arena arena = {.next = area->start, .end = area->start + area->bytes};
	char *object;

	arena.entered = way->arena == ARENA_PREFAULTS ? arena.next : arena.end;
	for (size_t i = 0; (object = arena_allocate(&arena, sizes[i % SIZES])) != NULL; i++)
		touch(object, way->writes);
}
