/*
 * New processes and threads.
 *
 * A child with memory of its own (fork) continues in this handler, on its copy of the stack. A
 * child that shares memory gets a block, with a signal frame on it that holds its registers. It
 * starts by returning from that frame, and does not touch the program's memory before.
 */
#include "loader/resident/calls/processes.h"

#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/frame.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/birth.h"
#include "loader/resident/leaving/leave.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/signals/signal_calls.h"
#include "loader/resident/signals/signal_frames.h"
#include "loader/resident/handlers/signal_handlers.h"
#include "loader/resident/threads/blocks.h"
#include "loader/resident/threads/lock.h"
#include "loader/resident/threads/shared.h"
#include "loader/resident/threads/states.h"
#include "loader/resident/base/trace.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>

/*
 * If system calls cannot be intercepted, all threads leave; the caller leaves at the end of its
 * handler.
 */
static bool intercept(struct thread *thread)
{
	if (thread_intercept(thread, true) == 0)
		return true;
	leave_begin(thread);
	return false;
}

/*
 * In the child of a fork: intercepts system calls again, and drops the parent's userfaultfd
 * descriptor.
 */
static void begin_alone(struct thread *thread, uint64_t flags)
{
	bool failed = !intercept(thread);

	if (userfaultfd_descriptor >= 0) {
		/* The kernel has not registered the child's memory. */
		if (!(flags & CLONE_FILES))
			raw_syscall1(SYS_close, (uint64_t)userfaultfd_descriptor);
		userfaultfd_descriptor = -1;
		failed = true;
	}
	if (failed)
		laziness_end(RETIRE_FAILURE, 0);
	if (flags & CLEAR_HANDLERS)
		signal_calls_rearm(thread->process);
}

/*
 * Takes all locks, so that no thread is halfway through a change when memory is copied. The child
 * has one thread and no pending signals.
 */
static long fork_process(struct thread *thread, const struct birth *birth)
{
	const struct clone3_arguments *arguments = &birth->arguments;
	long result;

	lock_take(&resident_pager.lock);
	lock_take(&thread->process->lock);
	lock_take(&resident_threads.lock);
	/* Signals sent to the child before it clears `deferred` must not be lost. */
	kernel_mask(SIG_BLOCK, FAULT_SIGNALS);
	if (birth->is_clone3)
		result = raw_syscall2(SYS_clone3, (uint64_t)arguments, birth->length);
	else
		result = raw_syscall6(SYS_clone, arguments->flags, 0, arguments->parent_id,
				      CALL_CLONE_LAST(arguments->child_id, arguments->tls), 0);
	if (result == 0) {
		thread->deferred = 0;
		state_learn_ids(thread);
		blocks_keep(thread);
	}
	kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
	lock_release(&resident_threads.lock);
	lock_release(&thread->process->lock);
	lock_release(&resident_pager.lock);
	if (result != 0)
		return result;
	trace(TRACE_FORK, 0, 0, 0, 0);
	begin_alone(thread, arguments->flags);
	return 0;
}

/*
 * Copies a process, for a child with handlers of its own. The copy is placed on a block, because
 * there is no other memory to allocate.
 */
static struct process *copy_process(struct process *process)
{
	struct thread *block = blocks_take();
	struct process *copy;

	if (block == NULL)
		return NULL;
	copy = (struct process *)thread_stack(block).start;
	lock_take(&process->lock);
	bytes_copy(copy, process, sizeof(*copy));
	lock_release(&process->lock);
	copy->lock = 0;
	return copy;
}

static void free_process(struct process *process)
{
	state_free(thread_of_address((uint64_t)process));
}

/* Sets what the child takes over from its parent (copy_process, sas_ss_reset in the kernel). */
static struct thread *new_thread(const struct thread *parent, uint64_t flags)
{
	struct thread *child = blocks_take();
	struct process *process;

	if (child == NULL)
		return NULL;
	process = (flags & CLONE_SIGHAND) ? parent->process : copy_process(parent->process);
	if (process == NULL) {
		state_free(child);
		return NULL;
	}
	shared_write(child->process, process);
	child->reset = (flags & CLEAR_HANDLERS) != 0;
	child->blocked = parent->blocked;
	child->exception = parent->exception;
	child->stack =
	    (flags & CLONE_VFORK) ? parent->stack : (struct kernel_stack){.flags = SS_DISABLE};
	return child;
}

static void forget(const struct thread *parent, struct thread *child)
{
	if (child->process != parent->process)
		free_process(child->process);
	state_free(child);
}

static long spawn_thread(struct thread *thread, const struct kernel_context *context,
			 struct birth *birth)
{
	struct clone3_arguments *arguments = &birth->arguments;
	struct thread *child = new_thread(thread, arguments->flags);
	int descriptor = userfaultfd_descriptor;
	struct signal_frame *frame;
	long result;

	if (child == NULL)
		return -EAGAIN;
	frame = frame_of_child(child, context);
	if (birth->stack != 0)
		registers_set_stack(&frame->context.registers, birth->stack);
	if (birth->is_clone3) {
		arguments->stack = thread_stack(child).start;
		arguments->stack_bytes = (uint64_t)frame - arguments->stack;
		result = gadget_spawn(SYS_clone3, (uint64_t)arguments, birth->length, 0, 0, 0);
	} else {
		result =
		    gadget_spawn(SYS_clone, arguments->flags, (uint64_t)frame, arguments->parent_id,
				 CALL_CLONE_LAST(arguments->child_id, arguments->tls));
	}
	if (result >= 0)
		state_name(child, result);
	/* The child of vfork has ended lazy paging and closed its own copy of the descriptor. */
	if ((arguments->flags & (CLONE_VFORK | CLONE_FILES)) == CLONE_VFORK && descriptor >= 0 &&
	    userfaultfd_descriptor < 0)
		raw_syscall1(SYS_close, (uint64_t)descriptor);
	/* After vfork the child has stopped using this memory by now. */
	if (result < 0 || ((arguments->flags & CLONE_VFORK) && child->process != thread->process))
		forget(thread, child);
	return result;
}

void processes_begin_thread(struct signal_frame *frame)
{
	struct thread *thread = thread_here();

	frame_begin_child(&frame->context);
	state_enter(thread);
	if (thread->reset)
		signal_calls_rearm(thread->process);
	trace(TRACE_THREAD, 0, 0, 0, registers_place(&frame->context.registers));
	if (!intercept(thread))
		laziness_end(RETIRE_FAILURE, 0);
	handlers_end(thread, &frame->context);
}

long processes_clone(struct thread *thread, struct birth *birth, struct kernel_context *context)
{
	long result;

	if (birth->arguments.flags & CLONE_VM)
		return spawn_thread(thread, context, birth);
	result = fork_process(thread, birth);
	if (result != 0)
		return result;
	/* The child has continued here. It gets its stack together with the other registers. */
	frame_begin_child(context);
	if (birth->stack != 0)
		registers_set_stack(&context->registers, birth->stack);
	return 0;
}
