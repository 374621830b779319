/* The kernel's view of signals, and which signals are blocked while the loader's handlers run. */
#pragma once

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "loader/resident/threads/thread.h"

/*
 * The signals that are blocked while the loader's handlers run: all but those of faults, because
 * gadget_copy() may touch hidden pages. The handler of a fault blocks every signal; otherwise a
 * storm of sent ones could fill its stack. It unblocks FAULT_SIGNALS before it calls gadget_copy().
 */
#define FAULT_SIGNALS (KERNEL_SIGNAL_BIT(SIGSEGV) | KERNEL_SIGNAL_BIT(SIGBUS))
#define OUR_MASK      (~FAULT_SIGNALS)

/* The rt_sigaction system call itself, for what the kernel has. Returns 0 or -errno. */
static inline long kernel_action(int number, const struct kernel_sigaction *new,
				 struct kernel_sigaction *old)
{
	return raw_syscall6(SYS_rt_sigaction, (uint64_t)number, (uint64_t) new, (uint64_t)old,
			    KERNEL_SIGSET_SIZE, 0, 0);
}

/*
 * The rt_sigprocmask system call itself, for the handler that calls it. `how` is SIG_BLOCK,
 * SIG_UNBLOCK or SIG_SETMASK.
 */
static inline void kernel_mask(int how, uint64_t set)
{
	raw_syscall6(SYS_rt_sigprocmask, (uint64_t)how, (uint64_t)&set, 0, KERNEL_SIGSET_SIZE, 0,
		     0);
}
