#include "loader/resident/pager/pager.h"

#include "common/arch/syscall.h"
#include "common/clock.h"
#include "common/kernel_abi.h"
#include "common/kernel_text.h"
#include "common/page.h"
#include "loader/predict/predict.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/pager/revealed.h"
#include "loader/resident/threads/lock.h"
#include "loader/resident/threads/thread.h"
#include "loader/resident/base/trace.h"

#include <stddef.h>

/* The part of a prediction that lies inside the region: page numbers first to end - 1. */
struct span {
	uint64_t first, end;
};

/*
 * A policy may predict pages outside the region; those are cut off. The pages that remain are still
 * on the policy's steps.
 */
static struct span clip(const struct pager_region *region, const struct prediction *wanted)
{
	uint64_t low = region->start / PAGE_BYTES, high = region->end / PAGE_BYTES;
	uint64_t first = wanted->first, last = first + (wanted->pages - 1) * wanted->step;

	if (first < low)
		first += (low - first + wanted->step - 1) / wanted->step * wanted->step;
	if (last >= high)
		last = high - 1;
	return first <= last ? (struct span){first, last + 1} : (struct span){low, low};
}

/* Counts the hidden pages of a run except the touched one. Called before the run is revealed. */
static void count_ahead_locked(struct pager *pager, const struct pager_region *region,
			       struct page_run run, uint64_t touched, bool fill)
{
	uint64_t end = run.first + run.count;

	run.count = 0;
	while ((run = revealed_next_hidden(pager, region, run.first + run.count, end)).count > 0)
		for (uint64_t page = run.first; page < run.first + run.count; page++) {
			if (page == touched)
				continue;
			pager->statistics.ahead_pages++;
			bitmap_set(pager->ahead, region->first_bit + page);
			if (fill)
				bitmap_set(pager->filled, region->first_bit + page);
		}
}

/* Whether revealing a run may split its mapping into three. */
static bool may_split(const struct pager *pager, const struct pager_region *region,
		      struct page_run run, enum bring bring)
{
	const struct engine *engine = region->engine;

	if (region->closable && revealed_is_closed(pager, region, run.first))
		return true;
	return engine->splits_from != 0 && run.count * PAGE_BYTES >= engine->splits_from &&
	       !(engine->copies && bring == BRING_POPULATE);
}

/*
 * This many splits are allowed whatever the limit is: a lower limit leaves no room for any program.
 */
#define SPLITS_FEW 16

/* Used when the limit cannot be read: a quarter of 65 530, the usual vm.max_map_count. */
#define SPLITS_USUAL 16384

static unsigned read_splits_max(void)
{
	char text[16];
	long length = kernel_read("/proc/sys/vm/max_map_count", text, sizeof(text));
	unsigned mappings = 0;

	if (length <= 0)
		return SPLITS_USUAL;
	for (long i = 0; i < length && text[i] >= '0' && text[i] <= '9'; i++)
		mappings = mappings * 10 + (unsigned)(text[i] - '0');
	return mappings / 4 > SPLITS_FEW ? mappings / 4 : SPLITS_FEW;
}

/*
 * Whether this many reveals may have split a mapping. Each split can add two mappings, and the
 * program needs some of its own. The limit is a quarter of vm.max_map_count, so splits add at most
 * half of the mappings that the kernel allows. The limit is read once, when it first matters.
 */
static bool may_split_again(struct pager *pager, unsigned splits)
{
	if (splits <= SPLITS_FEW)
		return true;
	if (pager->splits_max == 0)
		pager->splits_max = read_splits_max();
	return splits <= pager->splits_max;
}

/*
 * Brings in a run of a region. `touched` is a page number counted from the region's start, as in
 * the run.
 */
static long bring_run_locked(struct pager *pager, struct pager_region *region, struct page_run run,
			     uint64_t touched, struct cause cause)
{
	/*
	 * The kernel fills a page of a file by one copy from memory; populating pages ahead gains
	 * nothing.
	 */
	if (region->from_file)
		cause.bring = BRING_REVEAL;
	if (may_split(pager, region, run, cause.bring) &&
	    !may_split_again(pager, ++pager->split_mappings)) {
		run = region_all(region);
		cause.reason = REASON_MAPPINGS;
	}
	if (pager->ahead != NULL)
		count_ahead_locked(pager, region, run, touched, cause.bring == BRING_POPULATE);
	return pages_reveal_run_locked(pager, region, run, cause);
}

/*
 * The kernel fills an empty block with one huge page at the first touch. This collapses blocks that
 * have pages already into huge pages.
 */
static void bring_blocks_locked(struct pager *pager, struct pager_region *region, struct span span,
				uint64_t touched, struct cause cause)
{
	const uint16_t *counts = pager->chunks + region->first_chunk;
	uint64_t low = region->start / PAGE_BYTES, done = span.first;

	for (uint64_t page = span.first; page < span.end; page += HUGE_PAGES) {
		uint64_t start = page * PAGE_BYTES, end = page + HUGE_PAGES;
		bool some = counts[region_chunk(region, start)] != 0;

		if (!some && end < span.end)
			continue;
		bring_run_locked(pager, region, (struct page_run){done - low, end - done}, touched,
				 cause);
		if (some)
			raw_syscall3(SYS_madvise, start, HUGE_BYTES, KERNEL_MADV_COLLAPSE);
		done = end;
	}
}

static void bring_predicted_locked(struct pager *pager, struct pager_region *region,
				   const struct prediction *wanted, uint64_t touched,
				   struct cause cause)
{
	uint64_t low = region->start / PAGE_BYTES;
	struct span span = clip(region, wanted);
	struct page_run run = {.first = span.first - low, .count = 1};

	if (wanted->bring == BRING_BLOCK) {
		bring_blocks_locked(pager, region, span, touched, cause);
		return;
	}
	if (wanted->step == 1) {
		run.count = span.end - span.first;
		if (run.count > 0)
			bring_run_locked(pager, region, run, touched, cause);
		return;
	}
	for (; run.first < span.end - low; run.first += wanted->step)
		bring_run_locked(pager, region, run, touched, cause);
}

/*
 * Brings in a hidden page and the pages that the policy predicts. Returns false if the engine could
 * not reveal even the touched page, perhaps for lack of memory.
 */
static bool bring_in_locked(struct pager *pager, struct pager_region *region,
			    const struct fault *fault)
{
	const struct engine *engine = region->engine;
	struct touch touch = {
	    .page = fault->address / PAGE_BYTES,
	    .region_start = region->start / PAGE_BYTES,
	    .region_end = region->end / PAGE_BYTES,
	    .from_file = region->from_file,
	    .write = fault->write,
	    .copies = engine->copies,
	    .huge_pages = region->from_file ? HUGE_NEVER : pager->huge_pages,
	    .block_pages =
		pager->chunks[region->first_chunk + region_chunk(region, fault->address)],
	};
	struct prediction wanted = pager->predict(&pager->policy, &touch);
	struct page_run touched = {.first = touch.page - touch.region_start, .count = 1};
	struct cause cause = {wanted.bring, wanted.reason, touch.write ? TOUCH_WRITE : TOUCH_READ};

	if (wanted.pages == 1 && engine->copies && touch.write)
		cause.bring = BRING_POPULATE;
	bring_predicted_locked(pager, region, &wanted, touched.first, cause);
	if (revealed_includes(pager, region, touched.first))
		return true;
	cause.bring = BRING_REVEAL;
	cause.reason = REASON_TOUCHED;
	if (pages_reveal_run_locked(pager, region, touched, cause) == 0)
		return true;
	/*
	 * The program may have used up its mappings. Revealing the region in one piece needs no new
	 * one.
	 */
	cause.reason = REASON_MAPPINGS;
	pages_reveal_run_locked(pager, region, region_all(region), cause);
	return revealed_includes(pager, region, touched.first);
}

/*
 * Handles a fault on a page that is revealed already. Another thread may just have revealed the
 * page; then the access succeeds when it is repeated. If the same access faults again, the program
 * itself made the page inaccessible, and the fault belongs to the program. Without a guard only the
 * first thread has a block, and all threads use its fields.
 */
static bool worth_retrying(const struct fault *fault)
{
	struct thread *here = thread_here(), *thread = here != NULL ? here : threads_at(0);
	bool again = thread->retried_address == fault->address &&
		     thread->retried_instruction == fault->instruction;

	thread->retried_address = fault->address;
	thread->retried_instruction = fault->instruction;
	return !again;
}

static bool serve_locked(struct pager *pager, const struct fault *fault)
{
	struct pager_region *region = pages_region_of(pager, fault->address);

	if (region == NULL)
		return false;
	if (revealed_includes(pager, region, (fault->address - region->start) / PAGE_BYTES))
		return worth_retrying(fault);
	if (fault->signal != region->engine->signal ||
	    (fault->code != region->engine->code && region->engine->code != SEGV_MAPERR))
		return false;
	trace_fault(TRACE_FAULT, fault);
	if (!bring_in_locked(pager, region, fault))
		return false;
	pager->statistics.faults++;
	return true;
}

bool pager_serve(struct pager *pager, const struct fault *fault)
{
	uint64_t begin = pager->ahead != NULL ? clock_now_ns() : 0;
	bool served;

	lock_take(&pager->lock);
	served = serve_locked(pager, fault);
	if (served && pager->ahead != NULL)
		pager->statistics.handler_ns += clock_now_ns() - begin;
	if (pager->verify)
		verify_pages_locked(pager);
	lock_release(&pager->lock);
	return served;
}
