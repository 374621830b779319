/*
 * A pool of frames: pages of memory from which strategies get the frames that they need. Host code
 * fills the pool within a bound and frees the rest at once. Afterwards pages are taken out of the
 * pool and moved to their place, also by resident code.
 */
#pragma once

#include "common/page.h"
#include "common/placement/strategy.h"

struct pool_entry {
	uint64_t frame;
	uint32_t page; /* number of the page, counted from the pool's start */
	uint32_t next; /* next entry of the same bin, plus 1; 0: the last */
};

/*
 * The outcomes for the frames of an earlier run. Nothing is known about the others (pool_frames.h).
 */
struct exact_search {
	uint64_t wanted;  /* number of pages whose frame is known */
	uint64_t met;	  /* frames that the pool has */
	uint64_t in_use;  /* frames in use by others */
	uint64_t not_met; /* frames that are free, but that the kernel did not hand out */
};

struct frame_pool {
	uint64_t start, end; /* addresses of its pages; 0: there is no pool */
	uint64_t base;	     /* of the pool's strategy, see struct frame_wanted */
	uint32_t *first;     /* for each bin: the number of its first entry, plus 1 */
	struct pool_entry *entries;
	uint32_t bins;
	uint32_t left;	      /* number of pages that have not been taken */
	bool knows_frames;    /* false: `frame` is counted from the start of a 2 MiB page */
	uint64_t table_bytes; /* length of all tables, which start with the entries */
	struct exact_search exact;
};

/* The result of filling a pool. */
enum frames_found {
	FRAMES_FOUND,
	FRAMES_NEED_PRIVILEGE,	/* the kernel hides the frame numbers from this process */
	FRAMES_NEED_HUGE_PAGES, /* the kernel has no huge pages, or grants none */
	FRAMES_NO_FILE,		/* a file in /proc cannot be opened: see errno */
	FRAMES_NO_MEMORY,	/* no memory: see errno */
};

/* Pages that the program will touch. */
struct pool_range {
	uint64_t first, count; /* pages: addresses divided by PAGE_BYTES */
};

/*
 * Allocates pages until the pool has all frames that the strategy wants for the ranges, or until
 * most_bytes have been examined. Frames that are not wanted are freed before it returns. Frame
 * numbers are known with CAP_SYS_ADMIN. Without it they are known only modulo HUGE_PAGES: the
 * frames of a 2 MiB page are adjacent, from a multiple of HUGE_PAGES on. While it searches for
 * frames of an earlier run, it moves this thread from one processor to another (pool_turns.h).
 * `forks`: children of a fork get a copy, as mremap(2) needs it; UFFDIO_MOVE moves only pages that
 * no child has. On failure there is no pool.
 */
enum frames_found pool_fill(const struct frame_strategy *strategy, const struct pool_range *ranges,
			    unsigned range_count, uint64_t most_bytes, bool forks,
			    struct frame_pool *pool);

/* Sets the sentence for a pool that could not be filled. Returns false. */
bool pool_refuse(enum frames_found found, const struct frame_strategy *strategy,
		 struct error *error);

/*
 * How many bytes are examined by default: 256 MiB, or a quarter of the free memory, or of what the
 * control group permits.
 */
uint64_t pool_bytes_most(void);

/* Frees what is left of a pool. */
void pool_empty(struct frame_pool *pool);

static inline uint32_t pool_bin(const struct frame_pool *pool, uint64_t frame)
{
	return (uint32_t)(frame % pool->base % pool->bins);
}

/*
 * Searches the chains that start in `heads`, one for each bin, for an entry whose frame matches
 * this one in the part that the strategy uses. Returns the link to the entry: its number plus 1, or
 * 0 if there is none.
 */
static inline uint32_t *pool_link(const struct frame_pool *pool, uint32_t *heads, uint64_t frame)
{
	uint32_t *link = &heads[pool_bin(pool, frame)];

	while (*link != 0 && pool->entries[*link - 1].frame % pool->base != frame % pool->base)
		link = &pool->entries[*link - 1].next;
	return link;
}

/* Removes such an entry from its chain, and returns the previous value of the link to it. */
static inline uint32_t pool_unlink(const struct frame_pool *pool, uint32_t *heads, uint64_t frame)
{
	uint32_t *link = pool_link(pool, heads, frame), entry = *link;

	if (entry != 0)
		*link = pool->entries[entry - 1].next;
	return entry;
}

/*
 * Takes out a page with a frame as wanted. Returns its address, or 0 if there is none. For both
 * sides of the jump; must not be called by several threads at once.
 */
static inline uint64_t pool_take(struct frame_pool *pool, struct frame_wanted wanted)
{
	uint32_t entry = 0;

	if (pool->left > 0 && wanted.base == pool->base)
		entry = pool_unlink(pool, pool->first, wanted.result);
	if (entry == 0)
		return 0;
	pool->left--;
	return pool->start + pool->entries[entry - 1].page * PAGE_BYTES;
}
