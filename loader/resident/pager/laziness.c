/* The end of lazy paging: all regions are revealed. */
#include "loader/resident/pager/pages.h"

#include "common/arch/syscall.h"
#include "loader/resident/base/order.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/pager/rewrite.h"
#include "loader/resident/threads/lock.h"
#include "loader/resident/base/trace.h"

#include <stddef.h>

/*
 * Reveals all of a region: piece by piece if the engine has no retire(). A staged page is always
 * revealed alone.
 */
static void retire_region_locked(struct pager *pager, struct pager_region *region)
{
	const struct engine *engine = region->engine;
	struct page_run all = region_all(region);

	if (region->hidden == 0)
		return;
	if (region->staged != 0)
		pages_reveal_run_locked(pager, region,
					(struct page_run){.first = all.count - 1, .count = 1},
					CAUSE_RETIRE);
	if (engine->retire == NULL) {
		pages_reveal_run_locked(pager, region, all, CAUSE_RETIRE);
		return;
	}
	if (region->closable)
		pages_open_chunks_locked(pager, region, all);
	engine->retire(region->start, region->end - region->start);
	pager->hidden -= region->hidden;
	region->hidden = 0;
}

/* Unmaps the pages of the pools that were not taken. */
static void empty_pools_locked(const struct placement *placement)
{
	for (unsigned i = 0; placement != NULL && i < placement->count; i++) {
		const struct frame_pool *pool = &placement->rules[i].pool;

		raw_syscall2(SYS_munmap, pool->start, pool->end - pool->start);
	}
}

void laziness_end(enum retire_reason reason, long call)
{
	struct pager *pager = &resident_pager;

	lock_take(&pager->lock);
	if (pager->retired == RETIRE_NOT) {
		if (resident_trace != NULL)
			trace_retire((int)reason, call, pager->hidden);
		for (unsigned i = 0; i < pager->count; i++)
			if (!rewrite_includes(&pager->regions[i]))
				retire_region_locked(pager, &pager->regions[i]);
		empty_pools_locked(pager->placement);
		if (order_is_active())
			order_end(reason, call);
		if (userfaultfd_descriptor >= 0)
			raw_syscall1(SYS_close, (uint64_t)userfaultfd_descriptor);
		userfaultfd_descriptor = -1;
		pager->retired_call = call;
		pager->retired_after = pager->statistics.calls;
		__atomic_store_n(&pager->retired, reason, __ATOMIC_RELEASE);
	}
	lock_release(&pager->lock);
}
