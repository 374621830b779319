/* What the kernel has of signals, and what is blocked while handlers of ours run. */
#ifndef LOADER_RESIDENT_SIGNALS_KERNEL_SIGNALS_H
#define LOADER_RESIDENT_SIGNALS_KERNEL_SIGNALS_H

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "loader/resident/threads/thread.h"

/*
 * What is blocked while handlers of ours run: all but the signals of faults, for they may touch
 * hidden pages of the program with gadget_copy(). A handler of such a fault blocks everything, or
 * a storm of sent ones could fill the stack; where it goes on to copy, it unblocks them itself.
 */
#define FAULT_SIGNALS (KERNEL_SIGNAL_BIT(SIGSEGV) | KERNEL_SIGNAL_BIT(SIGBUS))
#define OUR_MASK      (~FAULT_SIGNALS)

/* rt_sigaction itself: what the kernel has. 0 or -errno. */
static inline long kernel_action(int number, const struct kernel_sigaction *new,
				 struct kernel_sigaction *old)
{
	return raw_syscall6(SYS_rt_sigaction, (uint64_t)number, (uint64_t) new, (uint64_t)old,
			    KERNEL_SIGSET_SIZE, 0, 0);
}

/* rt_sigprocmask itself, for the handler that calls it: SIG_BLOCK, SIG_UNBLOCK or SIG_SETMASK. */
static inline void kernel_mask(int how, uint64_t set)
{
	raw_syscall6(SYS_rt_sigprocmask, (uint64_t)how, (uint64_t)&set, 0, KERNEL_SIGSET_SIZE, 0,
		     0);
}

#endif
