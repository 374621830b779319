/* The end of lazy paging: everything goes back to where it would be without us. */
#include "common/arch/x86_64/syscall.h"
#include "loader/resident/guard.h"
#include "loader/resident/pager.h"
#include "loader/resident/signals.h"

#include <stddef.h>

/* Puts the program's action into the kernel where one of our handlers is still there. */
static void give_back_action(const struct process *process, int number)
{
	struct kernel_sigaction now;

	raw_syscall6(SYS_rt_sigaction, (uint64_t)number, 0, (uint64_t)&now, KERNEL_SIGSET_SIZE, 0,
		     0);
	if (now.handler == resident_on_signal || now.handler == resident_on_fault ||
	    now.handler == resident_on_system_call)
		raw_syscall6(SYS_rt_sigaction, (uint64_t)number,
			     (uint64_t)&process->actions[number], 0, KERNEL_SIGSET_SIZE, 0, 0);
}

/*
 * The managed signals stay ours until the last thread is through: another one may be on its way
 * into our handler for a page that has just been revealed.
 */
static void give_back_actions(struct process *process, bool last)
{
	uint64_t numbers;

	resident_lock(&process->lock);
	numbers = process->wrapped | (last ? MANAGED_SIGNALS : 0);
	process->wrapped = 0;
	for (int number = 1; number <= SIGNAL_MAX; number++)
		if (numbers & KERNEL_SIGNAL_BIT(number))
			give_back_action(process, number);
	resident_unlock(&process->lock);
}

void resident_hand_over(struct thread *thread, struct kernel_context *context)
{
	struct process *process = thread->process;
	uint64_t managed = MANAGED_SIGNALS;
	uint32_t left = __atomic_sub_fetch(&process->guarded_threads, 1, __ATOMIC_ACQ_REL);

	thread->guarded = false;
	/* Until we return none may reach the program's handlers: this is not its stack. */
	raw_syscall6(SYS_rt_sigprocmask, SIG_BLOCK, (uint64_t)&managed, 0, KERNEL_SIGSET_SIZE, 0,
		     0);
	give_back_actions(process, left == 0);
	/* Our return puts these in force. */
	context->stack = thread->stack;
	context->mask |= thread->blocked;
	raw_syscall6(SYS_prctl, KERNEL_PR_SET_SYSCALL_USER_DISPATCH, KERNEL_PR_SYS_DISPATCH_OFF, 0,
		     0, 0, 0);
	thread->selector = 0;
}
