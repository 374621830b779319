/*
 * The pager: its regions, and its records of their pages. Host code fills in a struct pager before
 * the jump. Afterwards signal handlers use the struct under pager.lock, in any thread that faults
 * or makes a system call.
 */
#pragma once

#include "common/page.h"
#include "common/placement/rules.h"
#include "loader/predict/predict.h"
#include "loader/resident/pager/engine.h"

#include <stdbool.h>
#include <stdint.h>

/* Hidden mappings beyond this number are left to the kernel's own paging. */
#define PAGER_REGIONS_MAX 32

/* One page table covers one chunk. Closing a region smaller than two chunks is not worthwhile. */
#define CHUNK_BYTES HUGE_BYTES
#define CLOSED_MIN  (2 * CHUNK_BYTES)

struct pager_region {
	uint64_t start, end; /* addresses, page aligned; end is exclusive */
	int protection;	     /* PROT_* that the program asked for */
	/*
	 * Hiding has a cost per page if the engine sets in_chunks. Such a large region starts
	 * closed: all of it is PROT_NONE. It is opened and hidden chunk by chunk.
	 */
	bool closable;
	bool from_file;
	uint64_t first_bit;   /* of this region in the bitmaps, a bit index */
	uint64_t first_chunk; /* of this region in pager.chunks, an index */
	uint64_t hidden;      /* number of hidden pages; under pager.lock */
	uint64_t staged; /* address of the finished last page: file data, its end cleared. Moved
			    into place at the first touch. 0: there is none, or it has moved */
	const struct engine *engine; /* the engine that hides this region: one of the pager's */
};

struct pager_statistics {
	uint64_t faults;      /* number of signals that revealed a page */
	uint64_t handler_ns;  /* nanoseconds spent in their handlers */
	uint64_t ahead_pages; /* pages revealed in addition to the touched ones */
	uint64_t calls;	      /* number of intercepted system calls; changed atomically */
	uint64_t call_pages;  /* pages revealed for system calls */
};

/* System calls with smaller numbers are counted one by one; all others are counted together. */
#define COUNTED_CALLS 511

/* Why lazy paging ended before the program did. */
enum retire_reason { RETIRE_NOT, RETIRE_CALLS, RETIRE_CALL, RETIRE_SIGNAL, RETIRE_FAILURE };

/*
 * Why a page was revealed. --record logs this: an entry holds the page's bit number in the bitmaps,
 * and its kind from bit LOG_KIND_SHIFT on. TOUCH_NONE, for the end of lazy paging, is not logged.
 */
enum touch_kind { TOUCH_CALL, TOUCH_READ, TOUCH_WRITE, TOUCH_NONE };
#define LOG_KIND_SHIFT 30
#define LOG_PAGES_MAX  (UINT64_C(1) << LOG_KIND_SHIFT)

/* How pages are revealed (for the engine), and why (for the trace and the log). */
struct cause {
	enum bring bring;
	enum reason reason;
	enum touch_kind touch;
};

/* The end of lazy paging. */
#define CAUSE_RETIRE ((struct cause){BRING_REVEAL, REASON_RETIRE, TOUCH_NONE})

struct pager {
	struct engine engines[3]; /* of anonymous memory, of pages of a file, of placed pages */
	policy_function *predict;
	struct policy_state policy;
	uint64_t *revealed; /* bitmap, one bit per page */
	uint16_t *chunks;   /* number of revealed pages in each chunk */
	uint64_t *calls;    /* COUNTED_CALLS + 1 counts, by call number; NULL without statistics */
	uint64_t *ahead;    /* bitmap: pages brought in by prediction; NULL without statistics */
	uint32_t *log;	    /* first touches, in order; NULL: not recorded */
	uint64_t log_count;
	uint64_t *filled; /* bitmap: the pages of `ahead` that were populated */
	uint32_t lock;
	enum huge_pages huge_pages; /* policy for huge pages in anonymous memory */
	bool verify;		    /* compare the records with the kernel's after every step */
	unsigned split_mappings;    /* number of reveals that may each have split a mapping into
				       three */
	unsigned splits_max;	    /* limit of split_mappings; 0: not read yet */
	uint64_t hidden;	    /* number of hidden pages in all regions */
	enum retire_reason retired;
	long retired_call;	/* the call's number, for RETIRE_CALL */
	uint64_t retired_after; /* number of intercepted calls when lazy paging ended */
	struct pager_statistics statistics;
	struct placement *placement; /* for the regions of engine_placed(); NULL: no placement */
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

/* A run of pages inside one region: page numbers count from the region's start. */
struct page_run {
	uint64_t first, count;
};

static inline uint64_t region_pages(const struct pager_region *region)
{
	return (region->end - region->start) / PAGE_BYTES;
}

/*
 * The index of an address's chunk within a region. Chunks are aligned, so the first and the last
 * may be only partly inside the region.
 */
static inline uint64_t region_chunk(const struct pager_region *region, uint64_t address)
{
	return address / CHUNK_BYTES - region->start / CHUNK_BYTES;
}

static inline struct page_run region_all(const struct pager_region *region)
{
	return (struct page_run){.first = 0, .count = region_pages(region)};
}
