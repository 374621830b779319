#include "loader/resident/pager/engine.h"

#include "common/arch/x86_64/syscall.h"

#include <sys/mman.h>

void engine_bring(uint64_t start, uint64_t length, int protection, enum bring bring)
{
	uint64_t how =
	    (protection & PROT_WRITE) ? KERNEL_MADV_POPULATE_WRITE : KERNEL_MADV_POPULATE_READ;

	if (bring != BRING_REVEAL)
		raw_syscall3(SYS_madvise, start, length, bring == BRING_HUGE ? MADV_HUGEPAGE : how);
}
