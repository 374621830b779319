/* Which range was given which strategy, and the memory that was given none. */
#pragma once

#include "common/placement/pool.h"
#include "share/placement/placement.h"

struct hint {
	uint64_t start, end; /* addresses; end is exclusive */
	struct placement_strategy strategy;
};

/* In separate memory, which is never placed. */
struct hints {
	struct hint *hints; /* of those that hold an address the last one counts */
	size_t count, room;
};

/* 0 or -ENOMEM. */
int hints_add(struct hints *hints, const struct hint *hint);

/* NULL: there is none. */
const struct hint *hints_find(const struct hints *hints, uint64_t address);

void hints_forget(struct hints *hints);

/*
 * Memory of this process that may be placed: private, anonymous, writable, and without a hint; of
 * it, the pages that are there.
 */
struct rest {
	const struct hints *hints;
	uint64_t without[3];	   /* addresses: mappings that hold one stay as they are */
	struct pool_range *ranges; /* in memory of their own */
	unsigned count, room;
};

/* 0 or -errno. */
int rest_gather(struct rest *rest);
void rest_forget(struct rest *rest);
