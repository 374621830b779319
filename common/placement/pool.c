#include "common/placement/pool.h"

#include "common/control_group.h"
#include "common/kernel_abi.h"
#include "common/memory_map.h"
#include "common/placement/pool_frames.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#define POOL_BYTES_MOST (UINT64_C(256) << 20)

/* What a pool that is being filled still needs. */
struct demand {
	uint32_t *first;  /* for each bin: the number of the first entry without a page, plus 1 */
	uint64_t missing; /* number of entries without a page */
	uint8_t *kept;	  /* for each page of the pool: 1 if it is kept for an entry */
};

static uint64_t pages_in(const struct pool_range *ranges, unsigned count)
{
	uint64_t pages = 0;

	for (unsigned i = 0; i < count; i++)
		pages += ranges[i].count;
	return pages;
}

/* Reserves the pool's address space, and tables with room for one entry per page of the ranges. */
static bool reserve(const struct frame_strategy *strategy, uint64_t pages, uint64_t bytes,
		    struct frame_pool *pool, struct demand *demand)
{
	bool exact = strategy->kind == STRATEGY_EXACT;
	uint64_t memory = (uint64_t)memory_map(bytes + HUGE_BYTES, MAP_NORESERVE);

	pool->base = exact ? FRAME_EXACT : strategy->base;
	pool->bins = exact ? 1024 : (uint32_t)strategy->base;
	pool->table_bytes = pages * sizeof(struct pool_entry) + 2 * pool->bins * sizeof(uint32_t) +
			    bytes / PAGE_BYTES;
	pool->entries = memory_map(pool->table_bytes, MAP_NORESERVE);
	if (memory == 0 || pool->entries == NULL)
		return false;
	pool->first = (uint32_t *)(pool->entries + pages);
	*demand = (struct demand){.first = pool->first + pool->bins};
	demand->kept = (uint8_t *)(demand->first + pool->bins);
	pool->start = (memory + HUGE_BYTES - 1) & ~(HUGE_BYTES - 1);
	pool->end = pool->start + bytes;
	if (pool->start > memory)
		munmap((void *)memory, pool->start - memory);
	munmap((void *)pool->end, memory + HUGE_BYTES - pool->start);
	return true;
}

/*
 * Asks the strategy about every page, as if they were touched in order. Until an entry has a page,
 * its frame is one that would satisfy it.
 */
static void make_demand(const struct frame_strategy *strategy, const struct pool_range *ranges,
			unsigned range_count, struct frame_pool *pool, struct demand *demand)
{
	uint64_t order = 0;

	for (unsigned i = 0; i < range_count; i++)
		for (uint64_t page = 0; page < ranges[i].count; page++) {
			struct frame_wanted wanted =
			    strategy_wanted(strategy, ranges[i].first + page, order++);
			uint32_t *first = &demand->first[pool_bin(pool, wanted.result)];

			if (wanted.base == FRAME_ANY)
				continue;
			pool->entries[demand->missing] =
			    (struct pool_entry){.frame = wanted.result, .next = *first};
			*first = (uint32_t)++demand->missing;
		}
}

/* Keeps a page of the pool if its frame is wanted. */
static void keep(struct frame_pool *pool, struct demand *demand, uint64_t page, uint64_t frame)
{
	uint32_t entry = pool_unlink(pool, demand->first, frame);
	uint32_t *first = &pool->first[pool_bin(pool, frame)];

	if (entry == 0)
		return;
	pool->entries[entry - 1] = (struct pool_entry){frame, (uint32_t)page, *first};
	*first = entry;
	pool->left++;
	demand->missing--;
	demand->kept[page] = 1;
}

/*
 * Frees the pages that are not kept, at the end of the search: if freed earlier, the kernel would
 * hand out the same ones again.
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

static bool wants_one(const struct frame_pool *pool, const struct demand *demand,
		      const uint64_t *frames)
{
	for (uint64_t i = 0; i < HUGE_PAGES; i++)
		if (frames[i] != FRAME_UNKNOWN && *pool_link(pool, demand->first, frames[i]) != 0)
			return true;
	return false;
}

/*
 * Keeps the wanted pages of a piece. `first`: the number of its first page, counted from the pool's
 * start.
 */
static void keep_wanted(struct frame_pool *pool, struct demand *demand,
			const struct pool_frames *source, uint64_t first, const uint64_t *frames)
{
	if (!wants_one(pool, demand, frames) ||
	    !pool_frames_single(source, pool->start + first * PAGE_BYTES))
		return;
	for (uint64_t i = 0; i < HUGE_PAGES; i++)
		if (frames[i] != FRAME_UNKNOWN)
			keep(pool, demand, first + i, frames[i]);
}

/*
 * Examines one piece of 2 MiB after the other, and frees what is not wanted. On failure errno has
 * the reason.
 */
static enum frames_found look(struct frame_pool *pool, struct demand *demand)
{
	uint64_t most = (pool->end - pool->start) / PAGE_BYTES, page = 0, frames[HUGE_PAGES];
	struct pool_frames source;
	enum frames_found found = pool_frames_begin(&source, pool->base, most / HUGE_PAGES);
	int reason;

	for (; found == FRAMES_FOUND && demand->missing > 0 && page < most; page += HUGE_PAGES) {
		found = pool_frames_get(&source, pool->start + page * PAGE_BYTES, frames);
		if (found == FRAMES_FOUND)
			keep_wanted(pool, demand, &source, page, frames);
	}
	reason = errno;
	pool->knows_frames = source.has_numbers;
	pool_frames_end(&source);
	give_back(pool, demand->kept, page);
	errno = reason;
	return found;
}

/* Counts the outcomes for the frames of an earlier run. */
static void count_exact(struct frame_pool *pool, const struct demand *demand)
{
	int flags = frame_use_open();

	pool->exact =
	    (struct exact_search){.wanted = pool->left + demand->missing, .met = pool->left};
	for (uint32_t bin = 0; bin < pool->bins; bin++)
		for (uint32_t entry = demand->first[bin]; entry != 0;
		     entry = pool->entries[entry - 1].next) {
			enum frame_use use = frame_use_of(flags, pool->entries[entry - 1].frame);

			pool->exact.in_use += use == FRAME_IN_USE;
			pool->exact.not_met += use == FRAME_FREE;
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
		    "the strategy %s needs the numbers of frames, which the kernel shows "
		    "only with CAP_SYS_ADMIN; run as root, or use coloring or "
		    "bin-hopping with BINS that divide %lu",
		    text, HUGE_PAGES);
	if (found == FRAMES_NEED_HUGE_PAGES)
		return error_set(
		    error, EXIT_OURS,
		    "the strategy %s finds colors in 2 MiB pages, and the kernel gives "
		    "none here; run as root, or allow them "
		    "(/sys/kernel/mm/transparent_hugepage/enabled)",
		    text);
	if (found == FRAMES_NO_FILE)
		return error_set(error, EXIT_OURS,
				 "the strategy %s looks for frames in /proc/self/pagemap and "
				 "/proc/self/smaps: %s; %s",
				 text, strerror(errno),
				 errno == EMFILE ? error_file_remedy(errno) : "mount /proc");
	return error_no_memory(error, "for the pool of frames");
}

enum frames_found pool_fill(const struct frame_strategy *strategy, const struct pool_range *ranges,
			    unsigned range_count, uint64_t most_bytes, bool forks,
			    struct frame_pool *pool)
{
	uint64_t pages = pages_in(ranges, range_count);
	uint64_t bytes = (most_bytes + HUGE_BYTES - 1) & ~(HUGE_BYTES - 1);
	enum frames_found found = FRAMES_NO_MEMORY;
	struct demand demand;

	*pool = (struct frame_pool){.start = 0};
	if (strategy->kind == STRATEGY_NONE || pages == 0)
		return FRAMES_FOUND;
	if (reserve(strategy, pages, bytes, pool, &demand)) {
		if (!forks)
			madvise((void *)pool->start, bytes, MADV_DONTFORK);
		make_demand(strategy, ranges, range_count, pool, &demand);
		found = look(pool, &demand);
		if (found == FRAMES_FOUND && strategy->kind == STRATEGY_EXACT)
			count_exact(pool, &demand);
	}
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
