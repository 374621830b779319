/*
 * How the pages of a program are placed: a rule for each hint, and one for all other pages. Each
 * rule has a pool of its own. Built by host code; what is inline is used on both sides of the jump.
 */
#ifndef COMMON_PLACEMENT_RULES_H
#define COMMON_PLACEMENT_RULES_H

#include "common/placement/pool.h"

/* One for each hint, and the one for all the rest. */
#define RULES_MAX 17

struct placement_rule {
	uint64_t first, end; /* pages: addresses divided by PAGE_BYTES; end is exclusive */
	struct frame_strategy strategy;
	struct frame_pool pool;
	uint64_t order; /* pages that the strategy was asked about */
};

struct placement {
	uint64_t placed;	   /* pages moved to a frame as wanted */
	struct exact_search exact; /* of all rules */
	uint64_t exact_placed;	   /* of exact.wanted, on their frame */
	unsigned count;		   /* the last rule holds every page */
	struct placement_rule rules[RULES_MAX];
};

/* The first rule that holds a page. */
static inline struct placement_rule *rules_of(struct placement *placement, uint64_t page)
{
	struct placement_rule *rule = placement->rules;

	while (page < rule->first || page >= rule->end)
		rule++;
	return rule;
}

/*
 * The address of a page to be moved to this one; 0: the kernel chooses the frame. Not for several
 * threads.
 */
static inline uint64_t rules_take(struct placement *placement, uint64_t page)
{
	struct placement_rule *rule = rules_of(placement, page);
	struct frame_wanted wanted = strategy_wanted(&rule->strategy, page, rule->order++);

	return pool_take(&rule->pool, wanted);
}

/* Counts a page that has been placed, for those who report it. */
static inline void rules_count(struct placement *placement, uint64_t page)
{
	placement->placed++;
	placement->exact_placed += rules_of(placement, page)->strategy.kind == STRATEGY_EXACT;
}

#endif
