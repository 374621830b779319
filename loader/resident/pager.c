#include "loader/resident/pager.h"
#include "common/arch/x86_64/fault.h"
#include "common/arch/x86_64/syscall.h"
#include "common/page.h"

#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <time.h>

/*
 * With an engine that splits mappings, no more scattered reveals than this: each can add two, and
 * vm.max_map_count is 65 530 unless an administrator changed it. Then whole regions are revealed.
 */
#define SPLITS_MAX 16384

/*
 * How often one instruction may fault in a row on a page that is there. Each of several threads
 * that touched it at the same moment does so once; a program that made the page inaccessible
 * itself does so for ever.
 */
#define RETRIES_MAX 1000

struct pager resident_pager;

void resident_restore_signal(void); /* entry.S */

/* A run of pages inside one region, counted from its start. */
struct page_run {
	uint64_t first, count;
};

static void lock(struct pager *pager)
{
	while (__atomic_exchange_n(&pager->lock, 1, __ATOMIC_ACQUIRE) != 0)
		raw_syscall0(SYS_sched_yield);
}

static void unlock(struct pager *pager)
{
	__atomic_store_n(&pager->lock, 0, __ATOMIC_RELEASE);
}

static uint64_t now_ns(void)
{
	struct timespec time = {0, 0};

	raw_syscall2(SYS_clock_gettime, CLOCK_MONOTONIC, (uint64_t)&time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static struct pager_region *region_of(struct pager *pager, uint64_t address)
{
	for (unsigned i = 0; i < pager->count; i++)
		if (address >= pager->regions[i].start && address < pager->regions[i].end)
			return &pager->regions[i];
	return NULL;
}

static uint64_t pages_of(const struct pager_region *region)
{
	return (region->end - region->start) / PAGE_BYTES;
}

static bool is_revealed(const struct pager *pager, const struct pager_region *region, uint64_t page)
{
	return bitmap_get(pager->revealed, region->first_bit + page);
}

/* Moves the finished last page into place: one step for every other thread. */
static long reveal_staged_locked(struct pager_region *region)
{
	uint64_t target = region->end - PAGE_BYTES;
	long result = raw_syscall6(SYS_mremap, region->staged, PAGE_BYTES, PAGE_BYTES,
				   MREMAP_MAYMOVE | MREMAP_FIXED, target, 0);

	return result < 0 ? result : 0;
}

/* Makes a run of pages accessible, whether or not some of them already are. 0 or -errno. */
static long reveal_locked(struct pager *pager, struct pager_region *region, struct page_run run)
{
	uint64_t start = region->start + run.first * PAGE_BYTES;
	uint64_t last = pages_of(region) - 1;
	long result = 0;

	if (region->staged != 0 && run.first + run.count - 1 == last) {
		run.count--;
		if (!is_revealed(pager, region, last))
			result = reveal_staged_locked(region);
		if (result == 0)
			bitmap_set(pager->revealed, region->first_bit + last);
	}
	if (result == 0 && run.count > 0)
		result = pager->engine.reveal(start, run.count * PAGE_BYTES, region->protection);
	for (uint64_t i = 0; result == 0 && i < run.count; i++)
		bitmap_set(pager->revealed, region->first_bit + run.first + i);
	return result;
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
			       struct page_run run, uint64_t touched, bool populate)
{
	for (uint64_t page = run.first; page < run.first + run.count; page++) {
		if (page == touched || is_revealed(pager, region, page))
			continue;
		pager->statistics.ahead_pages++;
		bitmap_set(pager->ahead, region->first_bit + page);
		if (populate)
			bitmap_set(pager->filled, region->first_bit + page);
	}
}

static void populate(const struct pager_region *region, struct page_run run)
{
	uint64_t how = (region->protection & PROT_WRITE) ? KERNEL_MADV_POPULATE_WRITE
							 : KERNEL_MADV_POPULATE_READ;

	raw_syscall3(SYS_madvise, region->start + run.first * PAGE_BYTES, run.count * PAGE_BYTES,
		     how);
}

/* Brings in a hidden page and what the policy adds. False if the engine could not. */
static bool bring_in_locked(struct pager *pager, struct pager_region *region, uint64_t address)
{
	struct prediction wanted = pager->predict(&pager->policy, address / PAGE_BYTES);
	struct page_run run = clip(region, wanted);
	uint64_t touched = (address - region->start) / PAGE_BYTES;

	/* A page of a file is filled by one copy from memory; guessing at it gains nothing. */
	wanted.populate = wanted.populate && !region->from_file;
	if (pager->engine.splits_mappings && ++pager->split_mappings > SPLITS_MAX)
		run = (struct page_run){.first = 0, .count = pages_of(region)};
	if (pager->ahead != NULL)
		count_ahead_locked(pager, region, run, touched, wanted.populate);
	if (reveal_locked(pager, region, run) != 0)
		return false;
	if (wanted.populate)
		populate(region, run);
	pager->last_retry = 0;
	return true;
}

/*
 * A fault on a page that is there already: another thread may just have revealed it, and then the
 * access succeeds when it is done again. Unless the program may not do it at all.
 */
static bool worth_retrying_locked(struct pager *pager, uint64_t instruction)
{
	if (instruction != pager->last_retry) {
		pager->last_retry = instruction;
		pager->retries = 0;
	}
	return ++pager->retries < RETRIES_MAX;
}

/* True if the fault was about one of our pages and the access is worth doing again. */
static bool serve_locked(struct pager *pager, const struct fault *fault)
{
	struct pager_region *region = region_of(pager, fault->address);

	if (region == NULL || fault->access_denied != pager->engine.denies_access)
		return false;
	if ((fault->needs & ~region->protection) != 0)
		return false;
	if (is_revealed(pager, region, (fault->address - region->start) / PAGE_BYTES))
		return worth_retrying_locked(pager, fault->instruction);
	if (!bring_in_locked(pager, region, fault->address))
		return false;
	pager->statistics.faults++;
	return true;
}

/*
 * The fault is the program's own. With what was there before us back in place, the instruction
 * faults again and the kernel does what it would have done natively, true address included. A
 * SIGSEGV that somebody sent does not come again by itself, so it is sent on; it waits until the
 * handler has returned.
 */
static void pass_on(struct pager *pager, siginfo_t *info)
{
	bool sent = info->si_code <= 0;

	if (sent && pager->before.handler == KERNEL_SIG_IGN)
		return;
	raw_syscall6(SYS_rt_sigaction, SIGSEGV, (uint64_t)&pager->before, 0, KERNEL_SIGSET_SIZE, 0,
		     0);
	if (sent)
		raw_syscall6(SYS_rt_tgsigqueueinfo, (uint64_t)raw_syscall0(SYS_getpid),
			     (uint64_t)raw_syscall0(SYS_gettid), SIGSEGV, (uint64_t)info, 0, 0);
}

static void on_segv(int signal, void *info, void *context)
{
	struct pager *pager = &resident_pager;
	struct fault fault = fault_of(info, context);
	uint64_t begin = pager->ahead != NULL ? now_ns() : 0;
	bool served = false;

	(void)signal;
	if (fault.by_access) {
		lock(pager);
		served = serve_locked(pager, &fault);
		if (served && pager->ahead != NULL)
			pager->statistics.handler_ns += now_ns() - begin;
		unlock(pager);
	}
	if (!served)
		pass_on(pager, info);
}

long resident_pager_hide(struct pager *pager)
{
	for (unsigned i = 0; i < pager->count; i++) {
		const struct pager_region *region = &pager->regions[i];
		long result = pager->engine.hide(region->start, region->end - region->start,
						 region->protection);

		if (result != 0)
			return result;
	}
	return 0;
}

void resident_pager_fill(struct pager *pager, uint64_t address)
{
	struct pager_region *region = region_of(pager, address);
	struct page_run run = {.count = 1};

	if (region == NULL)
		return;
	run.first = (address - region->start) / PAGE_BYTES;
	if (reveal_locked(pager, region, run) == 0)
		populate(region, run);
}

void resident_pager_arm(struct pager *pager, uint64_t stack, uint64_t length)
{
	struct kernel_sigaction action = {
	    .handler = on_segv,
	    .flags = KERNEL_SA_SIGINFO | KERNEL_SA_ONSTACK | KERNEL_SA_RESTORER,
	    .restorer = resident_restore_signal,
	    .mask = UINT64_MAX,
	};
	stack_t alternate = {.ss_sp = (void *)stack, .ss_size = length};

	raw_syscall2(SYS_sigaltstack, (uint64_t)&alternate, 0);
	raw_syscall6(SYS_rt_sigaction, SIGSEGV, (uint64_t)&action, (uint64_t)&pager->before,
		     KERNEL_SIGSET_SIZE, 0, 0);
}
