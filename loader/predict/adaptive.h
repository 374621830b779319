/* The state of `adaptive`, shared by its two sources: adaptive.c and adaptive_blocks.c. */
#pragma once

#include "loader/predict/predict.h"

#define STREAMS 8

/* A stream of this many pages is expected to use whole blocks. */
#define BLOCK_AFTER 24

/* A sequential walk through memory: where it is expected next, and its progress. */
struct stream {
	uint64_t up, down; /* page numbers that would continue it; 0: no stream */
	uint64_t window;   /* number of pages in its last prediction */
	uint64_t length;   /* number of pages that it has brought in */
	uint64_t used;	   /* its last hit, as a count of touches */
};

/* A walk with equal steps. */
struct walk {
	uint64_t last;	   /* the page that it has reached or brought in */
	uint64_t distance; /* pages to the next touch; modulo 2^64, for downward walks */
	uint64_t window;   /* number of pages in its last prediction */
	uint64_t length;   /* number of pages that it has brought in */
};

struct adaptive {
	uint64_t touches;
	uint64_t misses;       /* writes that nothing expected; halved by each expected one */
	uint64_t reads;	       /* number of reads in a row */
	uint64_t region_start; /* page number: the region of the previous touch */
	uint64_t jumps;	       /* writes to another block than the previous write:
				  adaptive_blocks.c */
	uint64_t last_block;   /* page number: the first page of the last written block */
	uint64_t dense;	       /* blocks of the region that became huge after many touches */
	struct walk walk;
	struct stream streams[STREAMS];
};

/* Whether the kernel would fill all of the touched block at once if it were revealed. */
bool block_is_whole(const struct touch *touch);

/* Whether a write that no stream expected is the third or a later one at equal distances. */
bool walk_goes_on(struct walk *walk, uint64_t page);

/* Such a write: the next pages of the walk. */
struct prediction walk_ahead(struct adaptive *adaptive, const struct touch *touch);

/* A write to a whole block that no stream expected. */
struct prediction block_miss(struct adaptive *adaptive, const struct touch *touch);

/* A write that continues a stream of BLOCK_AFTER pages or more, in a whole block. */
struct prediction block_stream(const struct stream *stream, const struct touch *touch);
