/*
 * The engine `guard`: guard markers in the page tables (Linux 6.13, for file mappings 6.15).
 *
 * A marked page raises SIGSEGV with SEGV_MAPERR, whatever the mapping permits; with SEGV_ACCERR
 * where its 2 MiB are closed, and under User Mode Linux. Removing the marker leaves an empty page
 * table entry, so that the kernel's own paging goes on as if nothing had been there. No mapping is
 * split, however scattered the pages are, and removing twice is harmless. Installing a marker drops
 * what was on the page.
 */
#include "common/arch/syscall.h"
#include "loader/resident/pager/engine.h"

#include <signal.h>

static long guard_hide(uint64_t start, uint64_t length, int protection)
{
	(void)protection;
	return raw_syscall3(SYS_madvise, start, length, KERNEL_MADV_GUARD_INSTALL);
}

/* Goes on over holes that the program has made, and says -ENOMEM about them. */
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
