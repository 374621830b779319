/* What `adaptive` remembers, for its two sources: adaptive.c, and adaptive_blocks.c. */
#ifndef LOADER_PREDICT_ADAPTIVE_H
#define LOADER_PREDICT_ADAPTIVE_H

#include "loader/predict/predict.h"

#define STREAMS 8

/* So many pages make a stream of which whole blocks are expected to be used. */
#define BLOCK_AFTER 24

/* A walk through memory: where it is expected next, and how far it has come. */
struct stream {
	uint64_t up, down; /* page numbers that would go on with it; 0: no stream */
	uint64_t window;   /* pages that came with its last prediction */
	uint64_t length;   /* pages that it has brought in */
	uint64_t used;	   /* when it was last right, in touches */
};

/* A walk with equal steps over whole blocks. */
struct walk {
	uint64_t last;	   /* page that it has come to, or brought in */
	uint64_t distance; /* to the next; modulo 2^64, for downwards */
	uint64_t window;   /* pages that came with its last prediction */
	uint64_t length;   /* pages that it has brought in */
};

struct adaptive {
	uint64_t touches;
	uint64_t misses;       /* writes that nothing expected, halved by each that was */
	uint64_t reads;	       /* in a row */
	uint64_t region_start; /* of the touch before */
	uint64_t jumps;	       /* writes to another block than the last: adaptive_blocks.c */
	uint64_t last_block;   /* page number of the first of the last one's pages */
	uint64_t dense;	       /* blocks of the region that many touches have made huge */
	struct walk walk;
	struct stream streams[STREAMS];
};

/* Whether the kernel would fill all of the touched block at once, were it revealed. */
bool block_is_whole(const struct touch *touch);

/* A write to a whole block that no stream expected. */
struct prediction block_miss(struct adaptive *adaptive, const struct touch *touch);

/* A write that goes on with a stream of BLOCK_AFTER pages or more, in a whole block. */
struct prediction block_stream(const struct stream *stream, const struct touch *touch);

#endif
