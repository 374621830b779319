/* Populated memory, its frame numbers, and whether other frames are free. Host code. */
#pragma once

#include "common/placement/pool.h"
#include "common/placement/pool_turns.h"

struct pool_frames {
	int pagemap;
	bool has_numbers;	      /* false: only the position in a 2 MiB page is known */
	uint64_t pieces, huge_pieces; /* pieces so far and, without numbers, how many were huge */
	struct pool_turns turns;      /* for a search for certain frames */
	bool takes_turns;
	bool huge; /* the last piece was requested as a 2 MiB page */
};

/* Stands for a frame of which nothing is known. No frame has this number. */
#define FRAME_UNKNOWN UINT64_MAX

/*
 * Starts a search. `base`: that of the wanted remainders, or FRAME_EXACT. `pieces`: how many will
 * be requested at most. pool_frames_end() must be called whatever it returns.
 */
enum frames_found pool_frames_begin(struct pool_frames *frames, uint64_t base, uint64_t pieces);

/* Populates a piece of 2 MiB, aligned to 2 MiB, and returns the numbers of its frames. */
enum frames_found pool_frames_get(struct pool_frames *frames, uint64_t start, uint64_t *numbers);

/*
 * Called before pages are taken out of the last piece one by one: splits it into ordinary pages on
 * the same frames. Returns false if that fails.
 */
bool pool_frames_single(const struct pool_frames *frames, uint64_t start);

void pool_frames_end(struct pool_frames *frames);

enum frame_use {
	FRAME_FREE,
	FRAME_IN_USE,
	FRAME_NOT_TOLD, /* the kernel does not show it, or not to this process */
};

/*
 * /proc/kpageflags (Documentation/admin-guide/mm/pagemap.rst in the kernel's source): a descriptor,
 * or -1 if nothing is shown. Only the superuser with CAP_SYS_ADMIN may read it.
 */
int frame_use_open(void);

/*
 * A frame without any flag counts as free: frames in a processor's free list have none. Some of the
 * kernel's own memory has none either, and cannot be distinguished.
 */
enum frame_use frame_use_of(int flags, uint64_t frame);
