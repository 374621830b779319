/* Populated memory, the numbers of its frames, and whether others are free. Host code. */
#ifndef COMMON_PLACEMENT_POOL_FRAMES_H
#define COMMON_PLACEMENT_POOL_FRAMES_H

#include "common/placement/pool.h"
#include "common/placement/pool_turns.h"

struct pool_frames {
	int pagemap;
	bool has_numbers;	      /* else what counts is the place in a 2 MiB page */
	uint64_t pieces, huge_pieces; /* so far, and, without numbers, those that were one */
	struct pool_turns turns;      /* of a search for certain frames */
	bool takes_turns;
	bool huge; /* the last piece was asked for as a 2 MiB page */
};

/* Of a frame of which nothing is known. No frame has this number. */
#define FRAME_UNKNOWN UINT64_MAX

/*
 * `base`: of the remainders that are wanted, or FRAME_EXACT; `pieces`: how many will be asked for
 * at most. To be ended whatever it returns.
 */
enum frames_found pool_frames_begin(struct pool_frames *frames, uint64_t base, uint64_t pieces);

/* Populates a piece of 2 MiB, aligned to that, and fills in the numbers of its frames. */
enum frames_found pool_frames_get(struct pool_frames *frames, uint64_t start, uint64_t *numbers);

/*
 * Before pages are taken out of the last piece one by one: makes ordinary pages of it, on the same
 * frames. False where that cannot be.
 */
bool pool_frames_single(const struct pool_frames *frames, uint64_t start);

void pool_frames_end(struct pool_frames *frames);

enum frame_use {
	FRAME_FREE,
	FRAME_IN_USE,
	FRAME_NOT_TOLD, /* to this process, or by this kernel */
};

/*
 * /proc/kpageflags (Documentation/admin-guide/mm/pagemap.rst in the kernel's source): a descriptor,
 * or -1 where nothing is told: for the superuser with CAP_SYS_ADMIN alone.
 */
int frame_use_open(void);

/*
 * A frame without any flag counts as free: those in a processor's list have none. Some of the
 * kernel's own memory has none either, and cannot be told from these.
 */
enum frame_use frame_use_of(int flags, uint64_t frame);

#endif
