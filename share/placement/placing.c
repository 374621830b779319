#include "share/placement/placing.h"

#include "common/arch/bytes.h"
#include "common/arch/thread_pointer.h"
#include "common/placement/mover.h"

#include <stdbool.h>
#include <stddef.h>

/* How often a page is tried that another process shares. */
#define TRIES 4

/* The page's entry in pagemap. 0, like the entry of an absent page, if pagemap cannot be read. */
static uint64_t entry_of(const struct placing *placing, uint64_t page)
{
	uint64_t entry = 0;

	raw_syscall6(SYS_pread64, (uint64_t)placing->pagemap, (uint64_t)&entry, sizeof(entry),
		     page / PAGE_BYTES * sizeof(entry), 0, 0);
	return entry;
}

/*
 * Moves a page to the scratch page. If another process shares the page, it is usually a child of a
 * fork. A write, here one that changes nothing, then makes a private copy (do_wp_page()).
 */
static long take_away(const struct placing *placing, uint64_t page)
{
	long result = mover_move(placing->mover, page, placing->scratch, PAGE_BYTES);

	for (int tries = 1; result == -EBUSY && tries < TRIES; tries++) {
		__atomic_fetch_or((char *)page, 0, __ATOMIC_RELAXED);
		result = mover_move(placing->mover, page, placing->scratch, PAGE_BYTES);
	}
	return result;
}

/* Moves a page with contents to another frame. A thread that touches the page meanwhile waits. */
static long replace(const struct placing *placing, uint64_t page, uint64_t frame)
{
	long result;

	if (placing->mover < 0) {
		bytes_copy((void *)frame, (const void *)page, PAGE_BYTES);
		return mover_move(placing->mover, frame, page, PAGE_BYTES);
	}
	result = take_away(placing, page);
	if (result == -ENOENT) /* the page was not there after all */
		return mover_move(placing->mover, frame, page, PAGE_BYTES);
	if (result != 0)
		return result;
	bytes_copy((void *)frame, (const void *)placing->scratch, PAGE_BYTES);
	result = mover_move(placing->mover, frame, page, PAGE_BYTES);
	if (result != 0)
		mover_move(placing->mover, placing->scratch, page, PAGE_BYTES);
	raw_syscall3(SYS_madvise, placing->scratch, PAGE_BYTES, MADV_DONTNEED);
	return result;
}

/*
 * The kernel writes to a thread's rseq area when it preempts the thread (rseq(2)). The area of the
 * thread that moves pages must stay, because no other thread would bring it back. Some C libraries
 * have no such area.
 */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));

static bool is_needed(uint64_t page)
{
	return &__rseq_offset != NULL && &__rseq_size != NULL && __rseq_size > 0 &&
	       page_floor(thread_pointer() + (uint64_t)__rseq_offset) == page;
}

static void place(struct placing *placing, uint64_t page)
{
	struct frame_wanted wanted =
	    strategy_wanted(placing->strategy, page / PAGE_BYTES, placing->order++);
	uint64_t entry, frame;
	bool there;

	if (wanted.base == FRAME_ANY)
		return;
	placing->counts.pages++;
	entry = entry_of(placing, page);
	there = (entry & (KERNEL_PAGEMAP_PRESENT | KERNEL_PAGEMAP_SWAPPED)) != 0;
	if ((entry & KERNEL_PAGEMAP_PRESENT) && placing->pool->knows_frames &&
	    strategy_accepts(wanted, entry & KERNEL_PAGEMAP_FRAME)) {
		placing->counts.already++;
		return;
	}
	frame = is_needed(page) ? 0 : pool_take(placing->pool, wanted);
	if (frame != 0 && (there ? replace(placing, page, frame)
				 : mover_move(placing->mover, frame, page, PAGE_BYTES)) == 0)
		placing->counts.placed++;
	else
		placing->counts.unplaced++;
}

long placing_range(struct placing *placing, uint64_t start, uint64_t pages)
{
	uint64_t all = UINT64_MAX, before, length = pages * PAGE_BYTES;
	bool unmapped;
	long result;

	raw_syscall6(SYS_rt_sigprocmask, 0 /* SIG_BLOCK */, (uint64_t)&all, (uint64_t)&before,
		     KERNEL_SIGSET_SIZE, 0, 0);
	/* Pages that become one 2 MiB page later would lose their frames (khugepaged). Whatever
	   that call says of holes in the range, and of a kernel without such pages. */
	unmapped = raw_syscall3(SYS_madvise, start, length, MADV_NOHUGEPAGE) == -ENOMEM;
	result = mover_register(placing->mover, start, length);
	/* mremap would fill holes with mappings. */
	if (placing->mover < 0 && unmapped)
		result = -ENOMEM;
	if (result == 0) {
		for (uint64_t page = start; page < start + length; page += PAGE_BYTES)
			place(placing, page);
		mover_unregister(placing->mover, start, length);
	}
	raw_syscall6(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, (uint64_t)&before, 0,
		     KERNEL_SIGSET_SIZE, 0, 0);
	return result != 0 && unmapped ? -ENOMEM : result;
}
