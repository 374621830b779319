/* A region of a recording while it is replayed, and what is known of its pages. Pure. */
#pragma once

#include "loader/predict/predict.h"

#include <stdbool.h>
#include <stdint.h>

/* The state of a page; 0 while it is hidden. */
enum {
	REVEALED = 1,
	AHEAD = 2,     /* without having been touched */
	ADVISED = 4,   /* the kernel may fill it as part of a huge page */
	POPULATED = 8, /* costs memory */
	TOUCHED = 16,
};

/* States is NULL where the kernel pages alone. */
struct lazy_region {
	uint64_t low, high; /* page numbers; high is exclusive */
	bool from_file;
	uint8_t *states;
};

/* Page numbers from first on, below end, each `step` from the next. */
struct span {
	uint64_t first, end, step;
};

static inline uint8_t *state_of(const struct lazy_region *region, uint64_t page)
{
	return &region->states[page - region->low];
}

/* Of a prediction, what is in the region. */
struct span region_clip(const struct lazy_region *region, const struct prediction *wanted);

/*
 * The aligned 2 MiB around a page, which the kernel may fill at a touch. Empty (first == end) if
 * the region belongs to a file or does not contain them all.
 */
struct span region_block(const struct lazy_region *region, uint64_t page);

/* How many pages of a block are in at least one of these states. */
uint64_t region_count(const struct lazy_region *region, struct span block, uint8_t states);
