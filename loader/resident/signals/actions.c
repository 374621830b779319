#include "loader/resident/signals/actions.h"

#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "loader/resident/threads/lock.h"

#include <errno.h>

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

static long send_to_process(int number, const siginfo_t *info)
{
	return raw_syscall3(SYS_rt_sigqueueinfo, (uint64_t)raw_syscall0(SYS_getpid),
			    (uint64_t)number, (uint64_t)info);
}

void actions_leave_pending(int number, const siginfo_t *info)
{
	siginfo_t queued;

	if (info->si_code == SI_TKILL || info->si_code > 0) {
		actions_send_again(number, info);
		return;
	}
	/* Only the first thread may send a signal with the code of kill (do_rt_sigqueueinfo). */
	if (send_to_process(number, info) == -EPERM) {
		bytes_copy(&queued, info, sizeof(queued));
		queued.si_code = SI_QUEUE;
		send_to_process(number, &queued);
	}
}
