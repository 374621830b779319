/*
 * How the pages of a program are placed: a rule for each hint, and one for all other pages. Each
 * rule has a pool of its own. Host code builds the rules; inline functions are used on both sides
 * of the jump.
 */
#pragma once

#include "common/placement/pool.h"

/* One rule for each hint, and one for all other pages. */
#define RULES_MAX 17

struct placement_rule {
	uint64_t first, end; /* pages: addresses divided by PAGE_BYTES; end is exclusive */
	struct frame_strategy strategy;
	struct frame_pool pool;
	uint64_t order; /* number of pages that the strategy was asked about */
};

struct placement {
	uint64_t placed;	   /* number of pages moved to a frame as wanted */
	struct exact_search exact; /* for all rules together */
	uint64_t exact_placed;	   /* pages counted in exact.wanted that are on their frame */
	unsigned count;		   /* the last rule applies to every page */
	struct placement_rule rules[RULES_MAX];
};

/* The first rule that applies to a page. */
static inline struct placement_rule *rules_of(struct placement *placement, uint64_t page)
{
	struct placement_rule *rule = placement->rules;

	while (page < rule->first || page >= rule->end)
		rule++;
	return rule;
}

/*
 * The address of a pool page to be moved to this page; 0: the kernel chooses the frame. Must not be
 * called by several threads at once.
 */
static inline uint64_t rules_take(struct placement *placement, uint64_t page)
{
	struct placement_rule *rule = rules_of(placement, page);
	struct frame_wanted wanted = strategy_wanted(&rule->strategy, page, rule->order++);

	return pool_take(&rule->pool, wanted);
}

/* Counts a page that has been placed, for reports. */
static inline void rules_count(struct placement *placement, uint64_t page)
{
	placement->placed++;
	placement->exact_placed += rules_of(placement, page)->strategy.kind == STRATEGY_EXACT;
}
