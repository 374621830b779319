/* The beginning and the end of lazy paging: all regions are hidden, or revealed. */
#include "loader/resident/pager/laziness.h"

#include "common/arch/x86_64/syscall.h"
#include "common/page.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/pager/engine_userfaultfd.h"
#include "loader/resident/threads/lock.h"
#include "loader/resident/trace.h"

#include <stddef.h>
#include <sys/mman.h>

/* Piece by piece where the engine knows no better, and always for a staged page. */
static void retire_region_locked(struct pager *pager, struct pager_region *region)
{
	static const struct cause cause = {BRING_REVEAL, REASON_RETIRE, TOUCH_CALL};
	const struct engine *engine = region->engine;
	struct page_run all = region_all(region);

	if (region->hidden == 0)
		return;
	if (region->staged != 0)
		pages_reveal_run_locked(
		    pager, region, (struct page_run){.first = all.count - 1, .count = 1}, cause);
	if (engine->retire == NULL) {
		pages_reveal_run_locked(pager, region, all, cause);
		return;
	}
	if (region->closable)
		pages_open_chunks_locked(pager, region, all);
	engine->retire(region->start, region->end - region->start);
	pager->hidden -= region->hidden;
	region->hidden = 0;
}

void laziness_end(struct pager *pager, enum retire_reason reason, long call)
{
	lock_take(&pager->lock);
	if (pager->retired == RETIRE_NOT) {
		pager->log_closed = true;
		trace(TRACE_RETIRE, (int)reason, 0, pager->hidden, 0);
		for (unsigned i = 0; i < pager->count; i++)
			retire_region_locked(pager, &pager->regions[i]);
		if (userfaultfd_descriptor >= 0)
			raw_syscall1(SYS_close, (uint64_t)userfaultfd_descriptor);
		userfaultfd_descriptor = -1;
		pager->retired_call = call;
		pager->retired_after = pager->statistics.calls;
		__atomic_store_n(&pager->retired, reason, __ATOMIC_RELEASE);
	}
	lock_release(&pager->lock);
}

/*
 * Closes a region: all of it becomes PROT_NONE. One page is hidden and revealed before: that shows
 * whether the engine works here, and gives the mapping its anon_vma, without which opened chunks
 * could not grow together again.
 */
static long close_region(const struct engine *engine, const struct pager_region *region)
{
	long result = engine->hide(region->start, PAGE_BYTES, region->protection);

	if (result == 0)
		result =
		    engine->reveal(region->start, PAGE_BYTES, region->protection, BRING_REVEAL);
	if (result == 0)
		result = raw_syscall3(SYS_mprotect, region->start, region->end - region->start,
				      PROT_NONE);
	return result;
}

long laziness_begin(struct pager *pager)
{
	for (unsigned i = 0; i < pager->count; i++) {
		struct pager_region *region = &pager->regions[i];
		const struct engine *engine = region->engine;
		uint64_t length = region->end - region->start;
		long result;

		region->closable = engine->in_chunks && !region->from_file && length >= CLOSED_MIN;
		result = region->closable ? close_region(engine, region)
					  : engine->hide(region->start, length, region->protection);
		if (result != 0)
			return result;
	}
	return 0;
}
