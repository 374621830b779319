#include "loader/resident/pager/engine.h"

#include "common/arch/syscall.h"
#include "common/page.h"

#include <errno.h>
#include <sys/mman.h>

long engine_in_halves(long (*act)(uint64_t start, uint64_t length), uint64_t start, uint64_t length)
{
	uint64_t half = length / 2 & ~(PAGE_BYTES - 1);
	long result = act(start, length), rest;

	if (result != -EINVAL)
		return result;
	if (half == 0)
		return 0;
	result = engine_in_halves(act, start, half);
	rest = engine_in_halves(act, start + half, length - half);
	return result != 0 ? result : rest;
}

void engine_bring(uint64_t start, uint64_t length, int protection, enum bring bring)
{
	uint64_t how =
	    (protection & PROT_WRITE) ? KERNEL_MADV_POPULATE_WRITE : KERNEL_MADV_POPULATE_READ;

	if (bring == BRING_POPULATE || bring == BRING_HUGE)
		raw_syscall3(SYS_madvise, start, length, bring == BRING_HUGE ? MADV_HUGEPAGE : how);
}
