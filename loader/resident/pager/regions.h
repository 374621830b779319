/*
 * The pager: its regions, and its records of their pages. Host code fills in a struct pager before
 * the jump; afterwards signal handlers use the struct, in whichever thread faults or makes a system
 * call, under pager.lock.
 */
#ifndef LOADER_RESIDENT_PAGER_REGIONS_H
#define LOADER_RESIDENT_PAGER_REGIONS_H

#include "common/page.h"
#include "common/placement/rules.h"
#include "loader/predict/predict.h"
#include "loader/resident/pager/engine.h"

#include <stdbool.h>
#include <stdint.h>

/* Hidden mappings beyond this number stay with the kernel's own paging. */
#define PAGER_REGIONS_MAX 32

/* One page table covers a chunk. A region smaller than two chunks is not worth closing. */
#define CHUNK_BYTES HUGE_BYTES
#define CLOSED_MIN  (2 * CHUNK_BYTES)

struct pager_region {
	uint64_t start, end; /* addresses, page aligned; end is exclusive */
	int protection;	     /* PROT_*, what the program asked for */
	/*
	 * Hiding costs something for each page where the engine says in_chunks. So a large region
	 * begins as PROT_NONE, all of it closed, and is opened and hidden chunk by chunk.
	 */
	bool closable;
	bool from_file;
	bool placed;	      /* its pages come from the pools of the pager's placement */
	uint64_t first_bit;   /* of this region in the bitmap */
	uint64_t first_chunk; /* in the counts of chunks */
	uint64_t hidden;      /* pages */
	uint64_t staged;      /* address of the finished last page, moved there when touched: file
				 data with its end cleared. 0: there is none, or it is there */
	const struct engine *engine; /* that hides it: one of the pager's two */
};

struct pager_statistics {
	uint64_t faults;      /* signals that revealed something */
	uint64_t handler_ns;  /* nanoseconds spent in them */
	uint64_t ahead_pages; /* revealed beside the touched ones */
	uint64_t calls;	      /* system calls that were looked at */
	uint64_t call_pages;  /* pages revealed for them */
};

/* Numbers of system calls that are counted one by one; those from here on are counted together. */
#define COUNTED_CALLS 511

/* Why lazy paging ended before the program did. */
enum retire_reason { RETIRE_NOT, RETIRE_CALLS, RETIRE_CALL, RETIRE_SIGNAL, RETIRE_FAILURE };

/*
 * Why a page was revealed. --record keeps a log of these: an entry is the number of the page's bit
 * in the bitmaps, and from LOG_KIND_SHIFT on the kind.
 */
enum touch_kind { TOUCH_CALL, TOUCH_READ, TOUCH_WRITE };
#define LOG_KIND_SHIFT 30
#define LOG_PAGES_MAX  (UINT64_C(1) << LOG_KIND_SHIFT)

/* How pages are revealed (for the engine), and why (for the trace and the log). */
struct cause {
	enum bring bring;
	enum reason reason;
	enum touch_kind touch;
};

struct pager {
	struct engine engines[2]; /* for anonymous memory, and for pages of a file */
	policy_function *predict;
	struct policy_state policy;
	uint64_t *revealed; /* bitmap, a bit a page */
	uint16_t *chunks;   /* how many pages of each are revealed */
	uint64_t *calls;    /* COUNTED_CALLS + 1 of them, by number; NULL without statistics */
	uint64_t *ahead;    /* bitmap: brought in by prediction; NULL without statistics */
	uint32_t *log;	    /* first touches, in order; NULL: not recorded */
	uint64_t log_count;
	bool log_closed;  /* lazy paging has ended */
	uint64_t *filled; /* bitmap: of those ahead, the ones that were populated */
	uint32_t lock;
	enum huge_pages huge_pages; /* for anonymous memory */
	bool verify;		    /* compare records with the kernel's after every step */
	unsigned split_mappings;    /* reveals that may each have split a mapping in three */
	unsigned splits_max;	    /* how many of those there may be; 0: not asked yet */
	uint64_t hidden;	    /* pages in all */
	enum retire_reason retired;
	long retired_call;	/* its number, for RETIRE_CALL */
	uint64_t retired_after; /* system calls */
	/* Of threads that have no struct thread: the last fault on a page that was there. */
	uint64_t retried_address, retried_instruction;
	struct pager_statistics statistics;
	struct placement *placement; /* of the regions of anonymous memory that say so, or NULL */
	unsigned count;
	struct pager_region regions[PAGER_REGIONS_MAX];
};

extern struct pager resident_pager;

static inline bool bitmap_get(const uint64_t *bitmap, uint64_t bit)
{
	return (bitmap[bit / 64] >> (bit % 64)) & 1;
}

static inline void bitmap_set(uint64_t *bitmap, uint64_t bit)
{
	bitmap[bit / 64] |= UINT64_C(1) << (bit % 64);
}

/* A run of pages inside one region, counted from its start. */
struct page_run {
	uint64_t first, count;
};

static inline uint64_t region_pages(const struct pager_region *region)
{
	return (region->end - region->start) / PAGE_BYTES;
}

/* Chunks are aligned; the region's first and last may be only partly in it. */
static inline uint64_t region_chunk(const struct pager_region *region, uint64_t address)
{
	return address / CHUNK_BYTES - region->start / CHUNK_BYTES;
}

static inline struct page_run region_all(const struct pager_region *region)
{
	return (struct page_run){.first = 0, .count = region_pages(region)};
}

#endif
