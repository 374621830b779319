#include "loader/resident/pager/pages.h"

#include "common/arch/syscall.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/pager/revealed.h"
#include "loader/resident/pager/rewrite.h"
#include "loader/resident/threads/lock.h"
#include "loader/resident/threads/thread.h"
#include "loader/resident/base/trace.h"

#include <stddef.h>
#include <sys/mman.h>

struct pager resident_pager;

struct pager_region *pages_region_of(struct pager *pager, uint64_t address)
{
	for (unsigned i = 0; i < pager->count; i++)
		if (address >= pager->regions[i].start && address < pager->regions[i].end)
			return &pager->regions[i];
	return NULL;
}

/* The end of a range, or UINT64_MAX if the range reaches beyond the end of the address space. */
static uint64_t range_end(uint64_t start, uint64_t length)
{
	uint64_t end;

	return checked_add(start, length, &end) ? end : UINT64_MAX;
}

bool pages_overlap(const struct pager *pager, uint64_t start, uint64_t length)
{
	uint64_t end;

	start = call_untagged(start);
	end = range_end(start, length);
	for (unsigned i = 0; i < pager->count; i++)
		if (start < pager->regions[i].end && pager->regions[i].start < end)
			return true;
	return false;
}

/* Moves the finished last page into place. Other threads see the move as one step. */
static long reveal_staged_locked(struct pager_region *region)
{
	uint64_t target = region->end - PAGE_BYTES;
	long result = raw_syscall6(SYS_mremap, region->staged, PAGE_BYTES, PAGE_BYTES,
				   MREMAP_MAYMOVE | MREMAP_FIXED, target, 0);

	if (result < 0)
		return result;
	region->staged = 0;
	return 0;
}

/*
 * Whether a run ends with the finished last page. That page is moved over a marker, so that no
 * thread sees what was there before.
 */
static bool has_staged(const struct pager_region *region, struct page_run run)
{
	return region->staged != 0 && run.first + run.count == region_pages(region);
}

/*
 * Opens the chunks that a run of pages reaches into. If other pages of a chunk stay hidden, they
 * are marked before the chunk becomes accessible to any thread. Adjacent chunks that are revealed
 * as a whole are opened in one step.
 */
long pages_open_chunks_locked(struct pager *pager, const struct pager_region *region,
			      struct page_run run)
{
	uint64_t end = run.first + run.count, next;
	long result = 0;

	for (uint64_t page = run.first; page < end && result == 0; page = next) {
		struct page_run chunk = revealed_chunk(region, page);
		bool whole = chunk.first >= run.first && chunk.first + chunk.count <= end &&
			     !has_staged(region, chunk);
		uint64_t start = region->start + chunk.first * PAGE_BYTES;

		next = chunk.first + chunk.count;
		if (!revealed_is_closed(pager, region, page))
			continue;
		while (whole && next < end && revealed_is_closed(pager, region, next)) {
			struct page_run more = revealed_chunk(region, next);

			if (next + more.count > end || has_staged(region, more))
				break;
			next += more.count;
		}
		chunk.count = next - chunk.first;
		if (!whole)
			result = region->engine->hide(start, chunk.count * PAGE_BYTES,
						      region->protection);
		if (result == 0)
			result = raw_syscall3(SYS_mprotect, start, chunk.count * PAGE_BYTES,
					      (uint64_t)region->protection);
	}
	return result;
}

static void trace_run(const struct pager_region *region, struct page_run run, struct cause cause)
{
	static const uint8_t kinds[] = {
	    [BRING_REVEAL] = TRACE_REVEAL,
	    [BRING_POPULATE] = TRACE_POPULATE,
	    [BRING_HUGE] = TRACE_HUGE,
	    [BRING_BLOCK] = TRACE_HUGE,
	};

	trace(kinds[cause.bring], (int)cause.reason, region->start + run.first * PAGE_BYTES,
	      run.count, 0);
}

/* Makes a run of hidden pages accessible. Returns 0 or -errno. */
static long reveal_run_locked(struct pager *pager, struct pager_region *region, struct page_run run,
			      struct cause cause)
{
	uint64_t start = region->start + run.first * PAGE_BYTES, count = run.count;
	long result = 0;

	if (region->closable)
		result = pages_open_chunks_locked(pager, region, run);
	if (result == 0 && has_staged(region, run)) {
		count--;
		result = reveal_staged_locked(region);
	}
	if (result == 0 && count > 0 && rewrite_includes(region))
		result = rewrite_reveal_locked(region, start, count * PAGE_BYTES);
	else if (result == 0 && count > 0)
		result = region->engine->reveal(start, count * PAGE_BYTES, region->protection,
						cause.bring);
	if (result != 0)
		return result;
	revealed_mark(pager, region, run, cause.touch);
	trace_run(region, run, cause);
	return 0;
}

/*
 * Whether a run may go to the engine in one piece although some of its pages are revealed already.
 */
static bool goes_in_one(const struct pager_region *region, struct page_run run, enum bring bring)
{
	return region->engine->reveals_again && bring != BRING_POPULATE &&
	       run.count * PAGE_BYTES >= MANY_BYTES;
}

/* Reveals only those pages of a run that are hidden. */
long pages_reveal_run_locked(struct pager *pager, struct pager_region *region, struct page_run run,
			     struct cause cause)
{
	uint64_t end = run.first + run.count;
	struct page_run hidden = {.first = run.first};

	if (region->hidden > 0 && goes_in_one(region, run, cause.bring))
		return reveal_run_locked(pager, region, run, cause);
	while (
	    (hidden = revealed_next_hidden(pager, region, hidden.first + hidden.count, end)).count >
	    0) {
		long result = reveal_run_locked(pager, region, hidden, cause);

		if (result != 0)
			return result;
	}
	return 0;
}

static void count_for_call(struct pager *pager, uint64_t pages)
{
	struct thread *thread = thread_here();

	pager->statistics.call_pages += pages;
	if (thread != NULL)
		thread->call_pages += pages;
}

void pages_reveal(struct pager *pager, uint64_t start, uint64_t length)
{
	static const struct cause cause = {BRING_REVEAL, REASON_CALL, TOUCH_CALL};
	uint64_t end, before;

	start = call_untagged(start);
	end = range_end(start, length);
	if (__atomic_load_n(&pager->hidden, __ATOMIC_RELAXED) == 0)
		return;
	lock_take(&pager->lock);
	before = pager->hidden;
	for (unsigned i = 0; i < pager->count; i++) {
		struct pager_region *region = &pager->regions[i];
		uint64_t from = start > region->start ? start : region->start;
		uint64_t to = end < region->end ? end : region->end;
		struct page_run run = {.first = (from - region->start) / PAGE_BYTES};

		if (from >= to)
			continue;
		run.count = (to - region->start + PAGE_BYTES - 1) / PAGE_BYTES - run.first;
		if (pages_reveal_run_locked(pager, region, run, cause) != 0)
			pages_reveal_run_locked(pager, region, region_all(region), cause);
	}
	if (before != pager->hidden)
		count_for_call(pager, before - pager->hidden);
	lock_release(&pager->lock);
}

/* The first region that ends after an address and starts at most PAGES_NEAR bytes after it. */
static const struct pager_region *region_near(const struct pager *pager, uint64_t address)
{
	const struct pager_region *found = NULL;

	for (unsigned i = 0; i < pager->count; i++) {
		const struct pager_region *region = &pager->regions[i];

		if (address < region->end &&
		    (address >= region->start || region->start - address <= PAGES_NEAR) &&
		    (found == NULL || region->start < found->start))
			found = region;
	}
	return found;
}

uint64_t pages_object_end(const struct pager *pager, uint64_t address)
{
	const struct pager_region *region = region_near(pager, address);
	uint64_t end = 0;
	bool hides = false;

	for (; region != NULL && (end == 0 || region->start == end);
	     region = region_near(pager, end)) {
		end = region->end;
		hides |= region->hidden > 0;
	}
	return hides ? end : 0;
}

void pages_fill(struct pager *pager, uint64_t address)
{
	struct pager_region *region = pages_region_of(pager, address);
	struct page_run run = {.count = 1};

	if (region == NULL)
		return;
	run.first = (address - region->start) / PAGE_BYTES;
	pages_reveal_run_locked(pager, region, run,
				(struct cause){BRING_POPULATE, REASON_CALL, TOUCH_CALL});
}
