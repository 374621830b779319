#include "common/placement/pool.h"

#include "common/control_group.h"
#include "common/kernel_abi.h"
#include "common/memory_map.h"
#include "common/placement/frame_use.h"
#include "common/placement/pool_frames.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#define POOL_BYTES_MOST (UINT64_C(256) << 20)

/* What is still wanted. */
struct demand {
	uint64_t total;
	uint32_t *bins;	  /* of all strategies but exact: frames wanted of each remainder */
	uint64_t *frames; /* of exact: sorted */
	uint64_t bytes;	  /* of the one or the other */
};

static uint64_t pages_in(const struct pool_range *ranges, unsigned count)
{
	uint64_t pages = 0;

	for (unsigned i = 0; i < count; i++)
		pages += ranges[i].count;
	return pages;
}

static int by_number(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/* Asks the strategy about every page, as if they were touched in order. */
static bool make_demand(const struct frame_strategy *strategy, const struct pool_range *ranges,
			unsigned range_count, struct demand *demand)
{
	bool exact = strategy->kind == STRATEGY_EXACT;
	uint64_t order = 0, pages = pages_in(ranges, range_count);
	void *memory;

	demand->bytes = exact ? (pages + 1) * sizeof(uint64_t) : strategy->base * sizeof(uint32_t);
	memory = memory_map(demand->bytes, MAP_NORESERVE);
	if (memory == NULL)
		return false;
	demand->frames = exact ? memory : NULL;
	demand->bins = exact ? NULL : memory;
	demand->total = 0;
	for (unsigned i = 0; i < range_count; i++)
		for (uint64_t page = 0; page < ranges[i].count; page++) {
			struct frame_wanted wanted =
			    strategy_wanted(strategy, ranges[i].first + page, order++);

			if (wanted.base == FRAME_ANY)
				continue;
			if (exact)
				demand->frames[demand->total] = wanted.result;
			else
				demand->bins[wanted.result]++;
			demand->total++;
		}
	if (exact)
		qsort(demand->frames, demand->total, sizeof(uint64_t), by_number);
	return true;
}

static bool is_wanted(const struct demand *demand, uint64_t base, uint64_t frame)
{
	if (demand->bins != NULL)
		return demand->bins[frame % base] > 0;
	return bsearch(&frame, demand->frames, demand->total, sizeof(uint64_t), by_number) != NULL;
}

static void keep(struct frame_pool *pool, struct demand *demand, uint64_t page, uint64_t frame)
{
	uint32_t *first = &pool->first[pool_bin(pool, frame)];

	pool->entries[pool->left] = (struct pool_entry){frame, (uint32_t)page, *first};
	*first = ++pool->left;
	if (demand->bins != NULL)
		demand->bins[frame % pool->base]--;
}

/* The pool's address space and its tables. */
static bool reserve(const struct frame_strategy *strategy, const struct demand *demand,
		    uint64_t bytes, struct frame_pool *pool)
{
	uint64_t entries = demand->total * sizeof(struct pool_entry), start;
	void *memory = memory_map(bytes + HUGE_PAGES * PAGE_BYTES, MAP_NORESERVE);

	*pool = (struct frame_pool){.base = strategy->base, .bins = (uint32_t)strategy->base};
	if (strategy->kind == STRATEGY_EXACT) {
		pool->base = FRAME_EXACT;
		pool->bins = 1024;
	}
	pool->table_bytes = entries + pool->bins * sizeof(uint32_t);
	pool->entries = memory_map(pool->table_bytes, MAP_NORESERVE);
	if (memory == NULL || pool->entries == NULL)
		return false;
	pool->first = (uint32_t *)((char *)pool->entries + entries);
	start = ((uint64_t)memory + HUGE_PAGES * PAGE_BYTES - 1) & ~(HUGE_PAGES * PAGE_BYTES - 1);
	if (start > (uint64_t)memory)
		munmap(memory, start - (uint64_t)memory);
	pool->start = start;
	pool->end = start + bytes;
	munmap((void *)pool->end, (uint64_t)memory + HUGE_PAGES * PAGE_BYTES - start);
	return true;
}

/*
 * Gives back the pages that nobody wanted, when no more are looked at: before that, the kernel
 * would hand out the same ones again.
 */
static void give_back(struct frame_pool *pool, const uint8_t *kept, uint64_t pages)
{
	uint64_t end;

	for (uint64_t page = 0; page < pages; page = end) {
		end = page + 1;
		if (kept[page])
			continue;
		while (end < pages && !kept[end])
			end++;
		madvise((void *)(pool->start + page * PAGE_BYTES), (end - page) * PAGE_BYTES,
			MADV_DONTNEED);
	}
	munmap((void *)(pool->start + pages * PAGE_BYTES),
	       pool->end - pool->start - pages * PAGE_BYTES);
	pool->end = pool->start + pages * PAGE_BYTES;
}

static bool wants_one(const struct demand *demand, uint64_t base, const uint64_t *frames)
{
	for (uint64_t i = 0; i < HUGE_PAGES; i++)
		if (frames[i] != FRAME_UNKNOWN && is_wanted(demand, base, frames[i]))
			return true;
	return false;
}

/* Keeps the wanted pages of a piece. `first`: its first page, counted from the pool's start. */
static void keep_wanted(struct frame_pool *pool, struct demand *demand, uint8_t *kept,
			const struct pool_frames *source, uint64_t first, const uint64_t *frames)
{
	if (!wants_one(demand, pool->base, frames) ||
	    !pool_frames_single(source, pool->start + first * PAGE_BYTES))
		return;
	for (uint64_t i = 0; i < HUGE_PAGES && pool->left < demand->total; i++)
		if (frames[i] != FRAME_UNKNOWN && is_wanted(demand, pool->base, frames[i])) {
			kept[first + i] = 1;
			keep(pool, demand, first + i, frames[i]);
		}
}

/* Looks at one piece of 2 MiB after the other; *pages gets how many pages were looked at. */
static enum frames_found look(struct frame_pool *pool, struct demand *demand, uint8_t *kept,
			      uint64_t *pages)
{
	uint64_t most = (pool->end - pool->start) / PAGE_BYTES, frames[HUGE_PAGES];
	struct pool_frames source;
	enum frames_found found = pool_frames_begin(&source, pool->base, most / HUGE_PAGES);

	for (*pages = 0; found == FRAMES_FOUND && pool->left < demand->total && *pages < most;
	     *pages += HUGE_PAGES) {
		found = pool_frames_get(&source, pool->start + *pages * PAGE_BYTES, frames);
		if (found == FRAMES_FOUND)
			keep_wanted(pool, demand, kept, &source, *pages, frames);
	}
	pool->knows_frames = source.has_numbers;
	pool_frames_end(&source);
	return found;
}

static bool has_frame(const struct frame_pool *pool, uint64_t frame)
{
	uint32_t entry = pool->first[pool_bin(pool, frame)];

	while (entry != 0 && pool->entries[entry - 1].frame != frame)
		entry = pool->entries[entry - 1].next;
	return entry != 0;
}

/* Counts what became of the frames of an earlier run. */
static void count_exact(const struct demand *demand, struct frame_pool *pool)
{
	int flags = frame_use_open();

	pool->exact.wanted = demand->total;
	for (uint64_t i = 0; i < demand->total; i++) {
		enum frame_use use = frame_use_of(flags, demand->frames[i]);
		bool met = has_frame(pool, demand->frames[i]);

		pool->exact.met += met;
		pool->exact.in_use += !met && use == FRAME_IN_USE;
		pool->exact.not_met += !met && use == FRAME_FREE;
	}
	if (flags >= 0)
		close(flags);
}

bool pool_refuse(enum frames_found found, const struct frame_strategy *strategy,
		 struct error *error)
{
	char text[64];

	strategy_text(strategy, text, sizeof(text));
	if (found == FRAMES_NEED_PRIVILEGE)
		return error_set(
		    error, EXIT_OURS,
		    "the strategy %s needs the numbers of frames, which the kernel tells "
		    "to those with CAP_SYS_ADMIN; run as root, or take coloring or "
		    "bin-hopping with BINS that divide %lu",
		    text, HUGE_PAGES);
	if (found == FRAMES_NEED_HUGE_PAGES)
		return error_set(
		    error, EXIT_OURS,
		    "the strategy %s finds colours in 2 MiB pages, of which none is to be "
		    "had here; run as root, or allow them "
		    "(/sys/kernel/mm/transparent_hugepage/enabled)",
		    text);
	return error_no_memory(error, "for the pool of frames");
}

static enum frames_found fill(const struct frame_strategy *strategy, struct demand *demand,
			      uint64_t bytes, bool forks, struct frame_pool *pool)
{
	uint8_t *kept = memory_map(bytes / PAGE_BYTES + 1, MAP_NORESERVE);
	enum frames_found found = FRAMES_NO_MEMORY;
	uint64_t pages;

	if (kept == NULL)
		return FRAMES_NO_MEMORY;
	if (reserve(strategy, demand, bytes, pool)) {
		if (!forks)
			madvise((void *)pool->start, bytes, MADV_DONTFORK);
		found = look(pool, demand, kept, &pages);
		if (demand->frames != NULL)
			count_exact(demand, pool);
		give_back(pool, kept, pages);
	}
	munmap(kept, page_ceil(bytes / PAGE_BYTES + 1));
	return found;
}

enum frames_found pool_fill(const struct frame_strategy *strategy, const struct pool_range *ranges,
			    unsigned range_count, uint64_t most_bytes, bool forks,
			    struct frame_pool *pool)
{
	uint64_t piece = HUGE_PAGES * PAGE_BYTES;
	enum frames_found found = FRAMES_NO_MEMORY;
	struct demand demand;

	*pool = (struct frame_pool){.start = 0};
	if (strategy->kind == STRATEGY_NONE || pages_in(ranges, range_count) == 0)
		return FRAMES_FOUND;
	if (!make_demand(strategy, ranges, range_count, &demand))
		return FRAMES_NO_MEMORY;
	found = fill(strategy, &demand, (most_bytes + piece - 1) / piece * piece, forks, pool);
	munmap(demand.frames != NULL ? (void *)demand.frames : (void *)demand.bins,
	       page_ceil(demand.bytes));
	if (found != FRAMES_FOUND)
		pool_empty(pool);
	return found;
}

uint64_t pool_bytes_most(void)
{
	uint64_t free_bytes = control_group_limit().bytes;
	struct sysinfo info;

	if (sysinfo(&info) == 0 && info.freeram * info.mem_unit < free_bytes)
		free_bytes = info.freeram * info.mem_unit;
	return free_bytes / 4 < POOL_BYTES_MOST ? free_bytes / 4 : POOL_BYTES_MOST;
}

void pool_empty(struct frame_pool *pool)
{
	if (pool->end > pool->start)
		munmap((void *)pool->start, pool->end - pool->start);
	if (pool->entries != NULL)
		munmap(pool->entries, page_ceil(pool->table_bytes));
	*pool = (struct frame_pool){.start = 0};
}
