/*
 * The engine `mprotect`: hidden pages are PROT_NONE. Works on every kernel.
 *
 * Each revealed island splits its mapping. Islands of writable memory can merge again only if they
 * share one anon_vma, and each would get its own at its first write. So one page is written before
 * any split, which gives the whole mapping its anon_vma, and is then dropped. On kernels without
 * MADV_POPULATE_WRITE (before 5.14) islands stay separate.
 */
#include "common/arch/syscall.h"
#include "common/page.h"
#include "loader/resident/pager/engine.h"

#include <signal.h>
#include <sys/mman.h>

static long mprotect_hide(uint64_t start, uint64_t length, int protection)
{
	if ((protection & PROT_WRITE) &&
	    raw_syscall3(SYS_madvise, start, PAGE_BYTES, KERNEL_MADV_POPULATE_WRITE) == 0)
		raw_syscall3(SYS_madvise, start, PAGE_BYTES, MADV_DONTNEED);
	return raw_syscall3(SYS_mprotect, start, length, PROT_NONE);
}

static long mprotect_reveal(uint64_t start, uint64_t length, int protection, enum bring bring)
{
	long result = raw_syscall3(SYS_mprotect, start, length, (uint64_t)protection);

	if (result == 0)
		engine_bring(start, length, protection, bring);
	return result;
}

struct engine engine_mprotect(void)
{
	return (struct engine){
	    .name = "mprotect",
	    .hide = mprotect_hide,
	    .reveal = mprotect_reveal,
	    .splits_from = PAGE_BYTES,
	    .signal = SIGSEGV,
	    .code = SEGV_ACCERR,
	};
}
