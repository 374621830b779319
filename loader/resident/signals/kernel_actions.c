/* What the kernel has of the program's actions once lazy paging has ended. */
#include "loader/resident/signals/kernel_actions.h"

#include "loader/resident/arch/gadget.h"
#include "loader/resident/signals/kernel_signals.h"

#include <stddef.h>

/* A handler for one occasion that has had it: the default, with the handler's flags and mask. */
static bool is_used_up(const struct kernel_sigaction *action)
{
	return action->handler == KERNEL_SIG_DFL && (action->flags & KERNEL_SA_RESETHAND) != 0;
}

bool kernel_actions_is_ours(const struct kernel_sigaction *action)
{
	return action->handler == gadget_on_signal || action->handler == gadget_forward ||
	       action->handler == gadget_on_managed;
}

/* Puts the program's action into the kernel where one of ours is still there. */
static void give_back_action(const struct process *process, int number)
{
	struct kernel_sigaction now = {.handler = KERNEL_SIG_DFL};

	kernel_action(number, NULL, &now);
	if (kernel_actions_is_ours(&now) ||
	    (is_used_up(&now) && is_used_up(&process->actions[number])))
		kernel_action(number, &process->actions[number], NULL);
}

/* As the program wants it, but that managed signals stay unblocked: gadget_forward sees to that.
 */
static void forward_action(const struct process *process, int number)
{
	struct kernel_sigaction action = process->actions[number];

	if (!is_used_up(&action)) {
		action.handler = gadget_forward;
		action.flags |= KERNEL_SA_SIGINFO;
		action.restorer = gadget_restore_signal;
		action.mask &= ~MANAGED_SIGNALS;
	}
	kernel_action(number, &action, NULL);
}

void kernel_actions_give_back_locked(struct process *process)
{
	uint64_t numbers = process->wrapped | MANAGED_SIGNALS;

	for (int number = 1; number <= SIGNAL_MAX; number++)
		if (numbers & KERNEL_SIGNAL_BIT(number))
			give_back_action(process, number);
	process->wrapped = 0;
}

void kernel_actions_forward_locked(const struct process *process)
{
	for (int number = 1; number <= SIGNAL_MAX; number++)
		if (process->wrapped & KERNEL_SIGNAL_BIT(number))
			forward_action(process, number);
}
