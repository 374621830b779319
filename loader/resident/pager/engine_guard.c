/*
 * The engine `guard`: guard markers in the page tables (Linux 6.13, for file mappings 6.15).
 *
 * A touch of a marked page raises SIGSEGV with SEGV_MAPERR, whatever the mapping permits. The code
 * is SEGV_ACCERR while the page's 2 MiB are closed, and under User Mode Linux. Removing the marker
 * leaves an empty page table entry, so that the kernel's own paging continues as if there had been
 * no marker. No mapping is split, however scattered the pages are. Removing a marker twice is
 * harmless. Installing a marker discards the page's contents.
 */
#include "common/arch/syscall.h"
#include "loader/resident/pager/engine.h"

#include <signal.h>

static long guard_hide(uint64_t start, uint64_t length, int protection)
{
	(void)protection;
	return raw_syscall3(SYS_madvise, start, length, KERNEL_MADV_GUARD_INSTALL);
}

/* Continues over holes that the program has made, and returns -ENOMEM for them. */
static long remove_markers(uint64_t start, uint64_t length)
{
	return raw_syscall3(SYS_madvise, start, length, KERNEL_MADV_GUARD_REMOVE);
}

static long guard_reveal(uint64_t start, uint64_t length, int protection, enum bring bring)
{
	long result = remove_markers(start, length);

	if (result == 0)
		engine_bring(start, length, protection, bring);
	return result;
}

static long guard_retire(uint64_t start, uint64_t length)
{
	return engine_in_halves(remove_markers, start, length);
}

struct engine engine_guard(void)
{
	return (struct engine){
	    .name = "guard",
	    .hide = guard_hide,
	    .reveal = guard_reveal,
	    .retire = guard_retire,
	    .in_chunks = true,
	    .signal = SIGSEGV,
	    .code = SEGV_MAPERR,
	};
}
