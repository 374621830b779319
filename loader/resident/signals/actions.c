#include "loader/resident/signals/actions.h"

#include "common/arch/x86_64/syscall.h"
#include "loader/resident/threads/lock.h"

struct kernel_sigaction actions_claim(struct process *process, int number)
{
	struct kernel_sigaction action;

	lock_take(&process->lock);
	action = process->actions[number];
	if (action.flags & KERNEL_SA_RESETHAND)
		process->actions[number].handler = KERNEL_SIG_DFL;
	lock_release(&process->lock);
	return action;
}

void actions_send_again(int number, const siginfo_t *info)
{
	raw_syscall6(SYS_rt_tgsigqueueinfo, (uint64_t)raw_syscall0(SYS_getpid),
		     (uint64_t)raw_syscall0(SYS_gettid), (uint64_t)number, (uint64_t)info, 0, 0);
}

void actions_leave_pending(int number, const siginfo_t *info)
{
	if (info->si_code == SI_TKILL || info->si_code > 0)
		actions_send_again(number, info);
	else
		raw_syscall3(SYS_rt_sigqueueinfo, (uint64_t)raw_syscall0(SYS_getpid),
			     (uint64_t)number, (uint64_t)info);
}
