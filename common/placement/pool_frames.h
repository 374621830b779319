/* Populated memory, and the numbers of its frames. Host code. */
#ifndef COMMON_PLACEMENT_POOL_FRAMES_H
#define COMMON_PLACEMENT_POOL_FRAMES_H

#include "common/placement/pool.h"

struct pool_frames {
	int pagemap;
	bool has_numbers;	      /* else what counts is the place in a 2 MiB page */
	uint64_t pieces, huge_pieces; /* then: so far, and those that were one */
};

/* Of a frame of which nothing is known. No frame has this number. */
#define FRAME_UNKNOWN UINT64_MAX

/* `base`: of the remainders that are wanted, or FRAME_EXACT. To be ended whatever it returns. */
enum frames_found pool_frames_begin(struct pool_frames *frames, uint64_t base);

/* Populates a piece of 2 MiB, aligned to that, and fills in the numbers of its frames. */
enum frames_found pool_frames_get(struct pool_frames *frames, uint64_t start, uint64_t *numbers);

void pool_frames_end(struct pool_frames *frames);

#endif
