/*
 * A pool of frames: pages of memory in which strategies find the frames that they want. Host code
 * fills it with what a demand asks for, within a bound, and gives the rest back at once; then pages
 * are taken out of the pool and moved to their place, in resident code, too.
 */
#ifndef COMMON_PLACEMENT_POOL_H
#define COMMON_PLACEMENT_POOL_H

#include "common/page.h"
#include "common/placement/strategy.h"

struct pool_entry {
	uint64_t frame;
	uint32_t page; /* counted from the pool's start */
	uint32_t next; /* entry of the same bin, plus 1; 0: this is the last */
};

/* What became of the frames of an earlier run. Of the rest nothing is told (pool_frames.h). */
struct exact_search {
	uint64_t wanted;  /* pages of which a frame is known */
	uint64_t met;	  /* frames that the pool has got */
	uint64_t in_use;  /* by somebody else */
	uint64_t not_met; /* free, but not among those that the kernel gave */
};

struct frame_pool {
	uint64_t start, end; /* addresses of its pages; 0: there is no pool */
	uint64_t base;	     /* of the strategy that it is for, see struct frame_wanted */
	uint32_t *first;     /* of each bin: the number of its first entry, plus 1 */
	struct pool_entry *entries;
	uint32_t bins;
	uint32_t left;	      /* pages that nobody has taken */
	bool knows_frames;    /* false: frame is counted from the start of a 2 MiB page */
	uint64_t table_bytes; /* of all tables, which begin with the entries */
	struct exact_search exact;
};

/* What became of filling a pool. */
enum frames_found {
	FRAMES_FOUND,
	FRAMES_NEED_PRIVILEGE,	/* the kernel does not tell this process their numbers */
	FRAMES_NEED_HUGE_PAGES, /* this kernel has none, or gives none */
	FRAMES_NO_FILE,		/* a file in /proc cannot be opened: errno */
	FRAMES_NO_MEMORY,	/* errno */
};

/* Pages that the program will touch. */
struct pool_range {
	uint64_t first, count; /* pages: addresses divided by PAGE_BYTES */
};

/*
 * Allocates pages until all frames are there that the strategy wants for the ranges, or most_bytes
 * have been looked at. Frames that are not wanted are given back before it returns. Frames have
 * numbers for those with CAP_SYS_ADMIN; for others they are known modulo HUGE_PAGES: the frames of
 * a 2 MiB page follow each other from a multiple of that on. A search for the frames of an earlier
 * run moves this thread from one processor to another meanwhile (pool_turns.h).
 *
 * `forks`: children of a fork get a copy, as mremap(2) wants it; UFFDIO_MOVE moves only pages that
 * no child has. Where it fails there is no pool.
 */
enum frames_found pool_fill(const struct frame_strategy *strategy, const struct pool_range *ranges,
			    unsigned range_count, uint64_t most_bytes, bool forks,
			    struct frame_pool *pool);

/* The sentence for a pool that could not be filled. False, for `return`. */
bool pool_refuse(enum frames_found found, const struct frame_strategy *strategy,
		 struct error *error);

/*
 * How many bytes are looked at unless somebody says: 256 MiB, or a quarter of what is free, or of
 * what the control group may have.
 */
uint64_t pool_bytes_most(void);

/* Gives back what is left of a pool. */
void pool_empty(struct frame_pool *pool);

static inline uint32_t pool_bin(const struct frame_pool *pool, uint64_t frame)
{
	return (uint32_t)(frame % pool->base % pool->bins);
}

/*
 * Looks in the chains that begin in `heads`, one for each bin, for an entry whose frame agrees with
 * this one as far as the strategy looks at frames. Returns the link to the entry: its number, plus
 * 1, or 0 where there is none.
 */
static inline uint32_t *pool_link(const struct frame_pool *pool, uint32_t *heads, uint64_t frame)
{
	uint32_t *link = &heads[pool_bin(pool, frame)];

	while (*link != 0 && pool->entries[*link - 1].frame % pool->base != frame % pool->base)
		link = &pool->entries[*link - 1].next;
	return link;
}

/* Takes such an entry out of its chain, and returns what the link to the entry was. */
static inline uint32_t pool_unlink(const struct frame_pool *pool, uint32_t *heads, uint64_t frame)
{
	uint32_t *link = pool_link(pool, heads, frame), entry = *link;

	if (entry != 0)
		*link = pool->entries[entry - 1].next;
	return entry;
}

/*
 * Takes a page out whose frame is as wanted: its address, or 0 where there is none. For both sides
 * of the jump; not safe for several threads at once.
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

#endif
