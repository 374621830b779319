/*
 * The engine `mmap`, the textbook's: hidden memory is reserved with PROT_NONE. A page is revealed
 * by mapping it, MAP_FIXED over the reservation. This works for anonymous memory only: mapping the
 * program's file again would need a descriptor, which the program could close.
 *
 * A second mmap of the same page would discard what has been written to it. The pager claims each
 * page under its lock and passes hidden pages only.
 */
#include "common/arch/syscall.h"
#include "common/page.h"
#include "loader/resident/pager/engine.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>

static long map_over(uint64_t start, uint64_t length, int protection, int flags)
{
	long result = raw_syscall6(SYS_mmap, start, length, (uint64_t)protection,
				   (uint64_t)(MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | flags),
				   (uint64_t)-1, 0);

	return result < 0 && result >= -4095 ? result : 0;
}

static long mmap_hide(uint64_t start, uint64_t length, int protection)
{
	(void)protection;
	return map_over(start, length, PROT_NONE, MAP_NORESERVE);
}

static long mmap_reveal(uint64_t start, uint64_t length, int protection, enum bring bring)
{
	bool populate = bring == BRING_POPULATE;
	long result = map_over(start, length, protection, populate ? MAP_POPULATE : 0);

	/* The program may have used up its mappings; mprotect of a whole mapping needs none. */
	if (result == -ENOMEM)
		result = raw_syscall3(SYS_mprotect, start, length, (uint64_t)protection);
	if (result == 0 && bring == BRING_HUGE)
		engine_bring(start, length, protection, bring);
	return result;
}

struct engine engine_mmap(void)
{
	return (struct engine){
	    .name = "mmap",
	    .hide = mmap_hide,
	    .reveal = mmap_reveal,
	    .splits_from = PAGE_BYTES,
	    .anonymous_only = true,
	    .signal = SIGSEGV,
	    .code = SEGV_ACCERR,
	};
}
