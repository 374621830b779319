/*
 * execve and execveat. The new program inherits the signal mask and what is ignored, as the program
 * set them and not as we have them; if it cannot be started, everything is put back.
 */
#include "loader/resident/signals/exec.h"

#include "common/arch/x86_64/syscall.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/arch/offsets.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/threads/lock.h"
#include "loader/resident/trace.h"

#include <stddef.h>

_Static_assert(offsetof(struct exec_call, mask) == EXEC_MASK &&
		   offsetof(struct exec_call, number) == EXEC_NUMBER &&
		   offsetof(struct exec_call, arguments) == EXEC_ARGUMENTS &&
		   MASK_BYTES == KERNEL_SIGSET_SIZE && SET_MASK == SIG_SETMASK &&
		   BLOCK_MASK == SIG_BLOCK && EXEC_RESTART == -KERNEL_RESTART,
	       "offsets.h");

/* From when this returns, no other thread asks us to leave; it holds the lock when it asks. */
static void set_in_call(struct thread *thread, bool in_call)
{
	lock_take(&thread->process->lock);
	thread->saved.in_call = in_call;
	lock_release(&thread->process->lock);
}

void exec_interrupted(struct kernel_context *context)
{
	uint64_t place = context->registers.rip;

	context->mask = OUR_MASK;
	if (place >= (uint64_t)gadget_exec_window && place < (uint64_t)gadget_exec_done)
		context->registers.rip = (uint64_t)gadget_exec_abort;
}

long exec_make(struct thread *thread, struct kernel_context *context)
{
	struct kernel_registers *registers = &context->registers;
	const struct exec_call call = {
	    .mask = context->mask | thread->blocked,
	    .number = registers->rax,
	    .arguments = {registers->rdi, registers->rsi, registers->rdx, registers->r10,
			  registers->r8},
	};
	struct kernel_sigaction ours[MANAGED_COUNT];
	uint64_t number = registers->rax;
	bool ignored[MANAGED_COUNT];
	long result;

	for (unsigned i = 0; i < MANAGED_COUNT; i++) {
		const struct kernel_sigaction *action =
		    &thread->process->actions[managed_signals[i]];

		ignored[i] = action->handler == KERNEL_SIG_IGN;
		if (ignored[i])
			kernel_action(managed_signals[i], action, &ours[i]);
	}
	trace(TRACE_EXEC, 0, 0, 0, registers->rip);
	set_in_call(thread, true);
	/* A signal that has come, or comes in before the call, is handled first. */
	kernel_mask(SIG_BLOCK, FAULT_SIGNALS);
	result = thread->deferred != 0 ? -KERNEL_RESTART : gadget_exec(&call);
	kernel_mask(SIG_SETMASK, OUR_MASK);
	set_in_call(thread, false);
	for (unsigned i = 0; i < MANAGED_COUNT; i++)
		if (ignored[i])
			kernel_action(managed_signals[i], &ours[i], NULL);
	if (result == -KERNEL_RESTART) {
		registers->rip -= SYSCALL_BYTES;
		return (long)number;
	}
	return result;
}
