#include "loader/resident/pager.h"
#include "common/arch/x86_64/syscall.h"
#include "common/page.h"
#include "loader/resident/thread.h"
#include "loader/resident/pages.h"
#include "loader/resident/verify.h"

#include <stddef.h>
#include <sys/mman.h>
#include <time.h>

/*
 * With an engine that splits mappings, no more scattered reveals than this: each can add two, and
 * vm.max_map_count is 65 530 unless an administrator changed it. Then whole regions are revealed.
 */
#define SPLITS_MAX 16384

static uint64_t now_ns(void)
{
	struct timespec time = {0, 0};

	raw_syscall2(SYS_clock_gettime, CLOCK_MONOTONIC, (uint64_t)&time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* What the policy wants, cut at the bounds of the region that holds the touched page. */
static struct page_run clip(const struct pager_region *region, struct prediction wanted)
{
	uint64_t low = region->start / PAGE_BYTES, high = region->end / PAGE_BYTES;
	uint64_t first = wanted.first > low ? wanted.first : low;
	uint64_t end = wanted.first + wanted.pages < high ? wanted.first + wanted.pages : high;

	return (struct page_run){.first = first - low, .count = end - first};
}

/* Counts the pages that come in beside the touched one; to be called before they are revealed. */
static void count_ahead_locked(struct pager *pager, const struct pager_region *region,
			       struct page_run run, uint64_t touched, bool fill)
{
	for (uint64_t page = run.first; page < run.first + run.count; page++) {
		if (page == touched || resident_is_revealed(pager, region, page))
			continue;
		pager->statistics.ahead_pages++;
		bitmap_set(pager->ahead, region->first_bit + page);
		if (fill)
			bitmap_set(pager->filled, region->first_bit + page);
	}
}

/* Brings in a hidden page and what the policy adds. False if the engine could not. */
static bool bring_in_locked(struct pager *pager, struct pager_region *region, uint64_t address)
{
	struct prediction wanted = pager->predict(&pager->policy, address / PAGE_BYTES);
	struct page_run run = clip(region, wanted);
	struct page_run touched = {.first = (address - region->start) / PAGE_BYTES, .count = 1};

	/* A page of a file is filled by one copy from memory; guessing at it gains nothing. */
	wanted.populate = wanted.populate && !region->from_file;
	if (resident_engine_of(pager, region)->splits_mappings &&
	    ++pager->split_mappings > SPLITS_MAX)
		run = (struct page_run){.first = 0, .count = region_pages(region)};
	if (pager->ahead != NULL)
		count_ahead_locked(pager, region, run, touched.first, wanted.populate);
	if (resident_reveal_locked(pager, region, run, wanted.populate) == 0)
		return true;
	/* Not all of it, perhaps for lack of memory: then the touched page alone. */
	return resident_is_revealed(pager, region, touched.first) ||
	       resident_reveal_locked(pager, region, touched, false) == 0;
}

/*
 * A fault on a page that is there already. Another thread may just have revealed it; then the
 * access succeeds when it is done again. If it does not, and comes back here, the program did
 * something to the page, and the fault is its own.
 */
static bool worth_retrying(struct pager *pager, const struct fault *fault)
{
	struct thread *thread = resident_thread_here();
	uint64_t *address = thread != NULL ? &thread->retried_address : &pager->retried_address;
	uint64_t *instruction =
	    thread != NULL ? &thread->retried_instruction : &pager->retried_instruction;
	bool again = *address == fault->address && *instruction == fault->instruction;

	*address = fault->address;
	*instruction = fault->instruction;
	return !again;
}

static bool serve_locked(struct pager *pager, const struct fault *fault)
{
	struct pager_region *region = resident_region_of(pager, fault->address);

	if (region == NULL)
		return false;
	if (resident_is_revealed(pager, region, (fault->address - region->start) / PAGE_BYTES))
		return worth_retrying(pager, fault);
	if (fault->signal != resident_engine_of(pager, region)->signal ||
	    (fault->code != resident_engine_of(pager, region)->code && !region->closable))
		return false;
	if (!bring_in_locked(pager, region, fault->address))
		return false;
	pager->statistics.faults++;
	return true;
}

bool resident_pager_serve(struct pager *pager, const struct fault *fault)
{
	uint64_t begin = pager->ahead != NULL ? now_ns() : 0;
	bool served;

	resident_lock(&pager->lock);
	served = serve_locked(pager, fault);
	if (served && pager->ahead != NULL)
		pager->statistics.handler_ns += now_ns() - begin;
	if (pager->verify)
		resident_verify_locked(pager);
	resident_unlock(&pager->lock);
	return served;
}
