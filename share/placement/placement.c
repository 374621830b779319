#include "share/placement/placement.h"

#include "common/pagemap.h"
#include "common/placement/mover.h"
#include "common/placement/pool.h"
#include "share/placement/hints.h"
#include "share/placement/placing.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In separate memory, which is never placed, and so are its tables. */
struct placement {
	struct placing placing;
	struct frame_pool pool;
	struct frame_strategy internal;
	uint64_t pool_bytes;
	pid_t process; /* the process whose memory the descriptors show; not a forked child */
	uint64_t hops; /* pages placed by bin hopping so far */
	struct placement_strategy common;
	struct hints hints;
};

/*
 * Held while pages are moved: a fork while a page is on its way would leave the child without that
 * page.
 */
static pthread_mutex_t in_work = PTHREAD_MUTEX_INITIALIZER;
/*
 * Held while a thread waits for in_work, so that the thread that has just had in_work waits in
 * line. Otherwise a thread that places in a loop would take it again and again before one that
 * forks has woken up.
 */
static pthread_mutex_t next_in_line = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void lock(void)
{
	pthread_mutex_lock(&next_in_line);
	pthread_mutex_lock(&in_work);
	pthread_mutex_unlock(&next_in_line);
}

static void unlock(void)
{
	pthread_mutex_unlock(&in_work);
}

/* The child has copies of both mutexes, held by its one thread, and no waiters. */
static void before_fork(void)
{
	pthread_mutex_lock(&next_in_line);
	pthread_mutex_lock(&in_work);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&in_work);
	pthread_mutex_unlock(&next_in_line);
}

static void watch_forks(void)
{
	pthread_atfork(before_fork, after_fork, after_fork);
}

static void *map(size_t bytes)
{
	void *memory = mmap(NULL, page_ceil(bytes), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory != MAP_FAILED ? memory : NULL;
}

/* The descriptors of this process, and a page for the mover to work with. */
static int begin(struct placement *placement)
{
	struct placing *placing = &placement->placing;

	placing->pagemap = pagemap_open();
	placing->mover = mover_open(&placing->waits);
	placement->process = getpid();
	if (placing->pagemap < 0)
		return -errno;
	return (int)mover_register(placing->mover, placing->scratch, PAGE_BYTES);
}

static void end(struct placement *placement)
{
	if (placement->placing.mover >= 0)
		close(placement->placing.mover);
	if (placement->placing.pagemap >= 0)
		close(placement->placing.pagemap);
}

int placement_open(size_t pool_bytes, struct placement **result)
{
	/* Two pages more, so that the one between them is a separate mapping. */
	struct placement *placement = map(sizeof(*placement));
	char *scratch = map(3 * PAGE_BYTES);
	int error = -ENOMEM;

	pthread_once(&once, watch_forks);
	*result = NULL;
	if (placement == NULL || scratch == NULL)
		goto bad;
	munmap(scratch, PAGE_BYTES);
	munmap(scratch + 2 * PAGE_BYTES, PAGE_BYTES);
	madvise(scratch + PAGE_BYTES, PAGE_BYTES, MADV_DONTFORK);
	placement->placing.scratch = (uint64_t)scratch + PAGE_BYTES;
	placement->pool_bytes = pool_bytes != 0 ? pool_bytes : pool_bytes_most();
	error = begin(placement);
	if (error == 0) {
		*result = placement;
		return 0;
	}
	end(placement);
bad:
	if (scratch != NULL)
		munmap(scratch, 3 * PAGE_BYTES);
	if (placement != NULL)
		munmap(placement, page_ceil(sizeof(*placement)));
	return error;
}

void placement_close(struct placement *placement)
{
	end(placement);
	munmap((void *)placement->placing.scratch, PAGE_BYTES);
	hints_forget(&placement->hints);
	munmap(placement, page_ceil(sizeof(*placement)));
}

static int check(const struct placement_strategy *strategy)
{
	bool has_base = strategy->kind == PLACEMENT_MODULO ||
			strategy->kind == PLACEMENT_COLORING ||
			strategy->kind == PLACEMENT_BIN_HOPPING;

	if ((unsigned)strategy->kind > PLACEMENT_BIN_HOPPING ||
	    (has_base && (strategy->base < 1 || strategy->base > STRATEGY_BASE_MAX ||
			  strategy->result >= strategy->base)) ||
	    (strategy->kind == PLACEMENT_EXACT && strategy->frames == NULL))
		return -EINVAL;
	return 0;
}

static const struct frame_record *records_of(const struct placement_strategy *strategy,
					     uint64_t page)
{
	struct frame_record *records = map((strategy->frame_count + 1) * sizeof(*records));

	for (size_t i = 0; records != NULL && i < strategy->frame_count; i++)
		records[i] = (struct frame_record){page + i, strategy->frames[i]};
	return records;
}

/* Converts the strategy to the form used inside. Bin hopping continues where it stopped. */
static bool make_internal(struct placement *placement, const struct placement_strategy *strategy,
			  uint64_t page)
{
	static const enum strategy_kind kinds[] = {
	    [PLACEMENT_NONE] = STRATEGY_NONE,
	    [PLACEMENT_EXACT] = STRATEGY_EXACT,
	    [PLACEMENT_MODULO] = STRATEGY_MODULO,
	    [PLACEMENT_COLORING] = STRATEGY_COLORING,
	    [PLACEMENT_BIN_HOPPING] = STRATEGY_BIN_HOPPING,
	};
	struct frame_strategy *internal = &placement->internal;

	*internal = (struct frame_strategy){
	    .kind = kinds[strategy->kind],
	    .base = strategy->base,
	    .result = strategy->result,
	};
	if (strategy->kind == PLACEMENT_BIN_HOPPING)
		internal->result = (strategy->result + placement->hops) % strategy->base;
	if (strategy->kind == PLACEMENT_EXACT) {
		internal->frames = records_of(strategy, page);
		internal->frame_count = strategy->frame_count;
	}
	return strategy->kind != PLACEMENT_EXACT || internal->frames != NULL;
}

/*
 * Returns an error only if no page has its frame. If other ranges succeed, a range that fails is
 * counted among the unplaced pages.
 */
static long place_ranges(struct placing *placing, const struct pool_range *ranges, unsigned count)
{
	long first = 0;

	for (unsigned i = 0; i < count; i++) {
		long result = placing_range(placing, ranges[i].first * PAGE_BYTES, ranges[i].count);

		if (result != 0) {
			placing->counts.pages += ranges[i].count;
			placing->counts.unplaced += ranges[i].count;
		}
		first = first != 0 ? first : result;
	}
	return placing->counts.placed + placing->counts.already > 0 ? 0 : first;
}

static int error_of(enum frames_found found)
{
	switch (found) {
	case FRAMES_FOUND:
		break;
	case FRAMES_NEED_PRIVILEGE:
		return -EPERM;
	case FRAMES_NEED_HUGE_PAGES:
		return -EOPNOTSUPP;
	case FRAMES_NO_FILE:
		return -errno;
	case FRAMES_NO_MEMORY:
		return -ENOMEM;
	}
	return 0;
}

/* With the strategy made internal; its records and the pool are given back. */
static int place(struct placement *placement, const struct pool_range *ranges, unsigned count)
{
	struct frame_strategy *internal = &placement->internal;
	struct placing *placing = &placement->placing;
	int result;

	placing->strategy = internal;
	placing->pool = &placement->pool;
	placing->order = 0;
	result = error_of(pool_fill(internal, ranges, count, placement->pool_bytes,
				    placing->mover < 0, &placement->pool));
	if (result == 0 && internal->kind != STRATEGY_NONE)
		result = (int)place_ranges(placing, ranges, count);
	pool_empty(&placement->pool);
	if (internal->kind == STRATEGY_BIN_HOPPING)
		placement->hops += placing->order;
	if (internal->frames != NULL)
		munmap((void *)internal->frames,
		       page_ceil((internal->frame_count + 1) * sizeof(struct frame_record)));
	return result;
}

/* In a child of a fork the descriptors are still about the parent's memory. */
static int begin_here(struct placement *placement)
{
	if (placement->process == getpid())
		return 0;
	end(placement);
	/* A child does not inherit the scratch page. */
	if (mmap((void *)placement->placing.scratch, PAGE_BYTES, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return -ENOMEM;
	return begin(placement);
}

static int set_locked(struct placement *placement, const struct placement_strategy *strategy,
		      const struct pool_range *ranges, unsigned count,
		      struct placement_counts *counts)
{
	int result = begin_here(placement);

	placement->placing.counts = (struct placement_counts){.pages = 0};
	if (result == 0 && !make_internal(placement, strategy, ranges[0].first))
		result = -ENOMEM;
	if (result == 0)
		result = place(placement, ranges, count);
	if (counts != NULL)
		*counts = placement->placing.counts;
	return result;
}

/* The part of the caller's stack that may be in use meanwhile, below and above here. */
#define STACK_BELOW (UINT64_C(64) << 10)

/* Whole pages only, without the part of the stack that is in use. */
static bool may_be_placed(uint64_t start, uint64_t length)
{
	uint64_t here = (uint64_t)__builtin_frame_address(0), end;

	return page_offset(start | length) == 0 && length > 0 && checked_add(start, length, &end) &&
	       (end <= here - STACK_BELOW || start >= here + PAGE_BYTES);
}

int placement_set(struct placement *placement, void *start, size_t length,
		  const struct placement_strategy *strategy, struct placement_counts *counts)
{
	uint64_t address = (uint64_t)start;
	struct pool_range range = {address / PAGE_BYTES, length / PAGE_BYTES};
	struct hint hint = {.start = address, .end = address + length};
	int result;

	if (strategy == NULL)
		strategy = &placement->common;
	if (check(strategy) != 0 || !may_be_placed(address, length))
		return -EINVAL;
	hint.strategy = *strategy;
	lock();
	result = set_locked(placement, strategy, &range, 1, counts);
	if (result == 0)
		result = hints_add(&placement->hints, &hint);
	unlock();
	return result;
}

int placement_get(struct placement *placement, const void *address,
		  struct placement_strategy *strategy)
{
	const struct hint *hint = hints_find(&placement->hints, (uint64_t)address);

	*strategy = hint != NULL ? hint->strategy : placement->common;
	return 0;
}

int placement_set_default(struct placement *placement, const struct placement_strategy *strategy)
{
	int result = check(strategy);

	/* An exact strategy's frames are those of one range. */
	if (result == 0 && strategy->kind == PLACEMENT_EXACT)
		result = -EINVAL;
	if (result == 0)
		placement->common = *strategy;
	return result;
}

/* Entries except . and .. below /proc/self/task; at least 1. */
static bool has_threads(void)
{
	struct stat status;

	return stat("/proc/self/task", &status) != 0 || status.st_nlink > 3;
}

int placement_set_rest(struct placement *placement, struct placement_counts *counts)
{
	struct rest rest = {
	    .hints = &placement->hints,
	    .without = {(uint64_t)&rest, (uint64_t)placement, placement->placing.scratch},
	};
	int result;

	/* The kernel writes to the structures of threads, and must then be able to wait for a page.
	 */
	if (!placement->placing.waits && has_threads())
		return -EPERM;
	lock();
	result = rest_gather(&rest);
	if (counts != NULL)
		*counts = (struct placement_counts){.pages = 0};
	if (result == 0 && rest.count > 0)
		result = set_locked(placement, &placement->common, rest.ranges, rest.count, counts);
	rest_forget(&rest);
	unlock();
	return result;
}
