/*
 * The pager: the pages of the program that are not there yet, and what happens at their first
 * touch. Host code fills in a struct pager before the jump; afterwards only the SIGSEGV handler
 * touches it, in whichever thread faults, under pager.lock.
 *
 * A page of a region is hidden until its bit in `revealed` is set, and never hidden again.
 */
#ifndef LOADER_RESIDENT_PAGER_H
#define LOADER_RESIDENT_PAGER_H

#include "loader/predict/predict.h"
#include "loader/resident/engine.h"

#include <stdbool.h>
#include <stdint.h>

/* Hidden mappings beyond this number stay with the kernel's own paging. */
#define PAGER_REGIONS_MAX 32

struct pager_region {
	uint64_t start, end; /* addresses, page aligned; end is exclusive */
	int protection;	     /* PROT_*, what the program asked for */
	uint64_t first_bit;  /* of this region in the bitmaps */
	uint64_t staged;     /* address of the finished last page, moved there when touched: file
				data with its end cleared. 0 where there is none */
	bool from_file;
};

struct pager_statistics {
	uint64_t faults;      /* SIGSEGVs that revealed something */
	uint64_t handler_ns;  /* nanoseconds spent in them */
	uint64_t ahead_pages; /* revealed beside the touched ones */
};

struct pager {
	struct engine engine;
	policy_function *predict;
	struct policy_state policy;
	uint64_t *revealed;	 /* bitmap, a bit a page */
	uint64_t *ahead;	 /* bitmap: brought in by prediction; NULL without statistics */
	uint64_t *filled;	 /* bitmap: of them, those that were populated */
	uint32_t lock;		 /* 1 while a thread is inside */
	unsigned split_mappings; /* reveals that may each have split a mapping in three */
	uint64_t last_retry;	 /* instruction address of a fault on a page that is there */
	unsigned retries;	 /* of that instruction in a row */
	struct kernel_sigaction before; /* what SIGSEGV did before us: default or ignore */
	struct pager_statistics statistics;
	unsigned count;
	struct pager_region regions[PAGER_REGIONS_MAX];
};

extern struct pager resident_pager;

/* Hides every region from the program. 0, or -errno of the engine. Called before the jump. */
long resident_pager_hide(struct pager *pager);

/* Makes the page at an address of a region present and filled. Called before the jump. */
void resident_pager_fill(struct pager *pager, uint64_t address);

/* Installs the SIGSEGV handler, on the alternate stack [stack, stack + length). */
void resident_pager_arm(struct pager *pager, uint64_t stack, uint64_t length);

static inline bool bitmap_get(const uint64_t *bitmap, uint64_t bit)
{
	return (bitmap[bit / 64] >> (bit % 64)) & 1;
}

static inline void bitmap_set(uint64_t *bitmap, uint64_t bit)
{
	bitmap[bit / 64] |= UINT64_C(1) << (bit % 64);
}

#endif
