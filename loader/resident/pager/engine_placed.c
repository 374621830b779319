/*
 * The engine of pages that a placement places: hidden by `userfaultfd`, and revealed by moving each
 * page from the pool of its rule. Other threads see each move as one step.
 */
#include "common/placement/mover.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/pager/pages.h"

/* If the pool is empty, or the page cannot be moved, a page of zeros takes its place. */
static long placed_reveal(uint64_t start, uint64_t length, int protection, enum bring bring)
{
	struct placement *placement = resident_pager.placement;
	long result = 0;

	(void)bring;
	for (uint64_t page = start; page < start + length && result == 0; page += PAGE_BYTES) {
		uint64_t from = rules_take(placement, page / PAGE_BYTES);

		if (from != 0 && mover_move(userfaultfd_descriptor, from, page, PAGE_BYTES) == 0)
			rules_count(placement, page / PAGE_BYTES);
		else
			result = engine_userfaultfd().reveal(page, PAGE_BYTES, protection,
							     BRING_POPULATE);
	}
	return result;
}

struct engine engine_placed(void)
{
	struct engine engine = engine_userfaultfd();

	engine.reveal = placed_reveal;
	engine.splits_from = 0;
	engine.reveals_again = false;
	return engine;
}
