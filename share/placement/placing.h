/*
 * Moves the pages of a range of this process to frames of a pool while its threads run. The code
 * touches no memory that may be moved: no libc, no errno, no stack protector. The last two are in
 * thread-local storage, which may be in the range. Signals are blocked meanwhile.
 */
#pragma once

#include "common/placement/pool.h"
#include "share/placement/placement.h"

#include <stdbool.h>

struct placing {
	int mover;	  /* see mover_open() */
	bool waits;	  /* the kernel, too, waits for a page on its way */
	int pagemap;	  /* /proc/self/pagemap */
	uint64_t scratch; /* address of a page, registered with the mover, where nothing is */
	const struct frame_strategy *strategy;
	struct frame_pool *pool;
	uint64_t order; /* pages that the strategy was asked about */
	struct placement_counts counts;
};

/* Both structs are in memory that is not placed. 0, or -errno if no page of the range can be
 * placed. */
long placing_range(struct placing *placing, uint64_t start, uint64_t pages);
