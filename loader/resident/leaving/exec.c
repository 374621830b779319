/*
 * execve and execveat. The new program inherits the signal mask and the ignored signals. They must
 * be those that the program set, not those that the loader installed. If the new program cannot be
 * started, the loader's are restored.
 */
#include "loader/resident/leaving/exec.h"

#include "common/arch/syscall.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/base/order.h"
#include "loader/resident/leaving/leave.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/threads/gadget_call.h"
#include "loader/resident/threads/lock.h"
#include "loader/resident/threads/shared.h"
#include "loader/resident/threads/states.h"
#include "loader/resident/base/trace.h"

#include <stddef.h>

void exec_interrupted(const struct thread *thread, struct kernel_context *context)
{
	/* In other states the mask is OUR_MASK already, or it is the program's, which runs next. */
	if (shared_read(thread->state) == THREAD_EXECS)
		context->mask = OUR_MASK;
	if (gadget_place(registers_place(&context->registers)) == PLACE_EXEC)
		registers_set_place(&context->registers, (uint64_t)gadget_exec_abort);
}

/*
 * Gives the kernel the managed signals that the program ignores. `shown` becomes the set of these
 * signals, and `replaced` has the loader's handlers of them: other threads may change the program's
 * actions before take_back(). Returns false if other threads must leave first. They still need
 * these handlers, and the kernel kills a process that ignores the signal of a fault or of a call.
 */
static bool show_ignored(const struct thread *thread, uint64_t *shown,
			 struct kernel_sigaction *replaced)
{
	struct process *process = thread->process;
	bool alone = !state_others_are_lazy(thread), ignores = false;

	*shown = 0;
	lock_take(&process->lock);
	for (unsigned i = 0; i < managed_count(); i++) {
		const struct kernel_sigaction *action = &process->actions[managed_signal(i)];

		if (action->handler != KERNEL_SIG_IGN)
			continue;
		ignores = true;
		if (alone && kernel_action(managed_signal(i), action, &replaced[i]) == 0)
			*shown |= KERNEL_SIGNAL_BIT(managed_signal(i));
	}
	lock_release(&process->lock);
	return alone || !ignores;
}

static void take_back(uint64_t shown, const struct kernel_sigaction *replaced)
{
	for (unsigned i = 0; i < managed_count(); i++)
		if (shown & KERNEL_SIGNAL_BIT(managed_signal(i)))
			kernel_action(managed_signal(i), &replaced[i], NULL);
}

long exec_make(struct thread *thread, const struct call *call, uint64_t mask)
{
	struct kernel_sigaction replaced[MANAGED_COUNT];
	uint64_t shown;
	long result;

	trace(TRACE_EXEC, 0, 0, 0, call->place);
	if (!state_exec_begin(thread))
		return -KERNEL_RESTART;
	if (!show_ignored(thread, &shown, replaced)) {
		state_exec_failed(thread);
		leave_begin(thread);
		return -KERNEL_RESTART;
	}
	/* A deferred signal, or one that is sent before the call, is handled first. */
	kernel_mask(SIG_BLOCK, FAULT_SIGNALS);
	order_count_exec(thread->group, 1);
	result = thread->deferred != 0 ? -KERNEL_RESTART : gadget_exec(call, &mask);
	order_count_exec(thread->group, -1);
	kernel_mask(SIG_SETMASK, OUR_MASK);
	take_back(shown, replaced);
	state_exec_failed(thread);
	return result;
}
