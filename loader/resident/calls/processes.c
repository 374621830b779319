/*
 * New processes and threads, and other programs.
 *
 * A child with memory of its own (fork) goes on in our handler, on its copy of the stack. One that
 * shares memory gets a block, with a signal frame on it that holds its registers, and begins by
 * returning from that frame: until then it has touched nothing of the program's.
 */
#include "loader/resident/calls/processes.h"

#include "common/arch/x86_64/bytes.h"
#include "common/arch/x86_64/syscall.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/birth.h"
#include "loader/resident/pager/laziness.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/signals/leave.h"
#include "loader/resident/signals/signal_calls.h"
#include "loader/resident/signals/signal_frames.h"
#include "loader/resident/signals/signal_handlers.h"
#include "loader/resident/threads/blocks.h"
#include "loader/resident/threads/lock.h"
#include "loader/resident/threads/states.h"
#include "loader/resident/trace.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>

/* Where system calls cannot be intercepted all threads leave, the caller at its handler's end. */
static bool intercept(struct thread *thread)
{
	if (thread_intercept(thread, true) == 0)
		return true;
	leave_begin(thread);
	return false;
}

/* The child of a fork is alone: no other thread, no lock, no signal that waits. */
static void begin_alone(struct thread *thread, uint64_t flags)
{
	struct threads *threads = &resident_threads;
	struct pager *pager = &resident_pager;
	struct process *process = thread->process;
	bool failed;

	state_begin_alone_locked(thread);
	blocks_keep(thread);
	lock_release(&threads->lock);
	lock_release(&process->lock);
	lock_release(&pager->lock);
	trace(TRACE_FORK, 0, 0, 0, 0);
	failed = !intercept(thread);
	if (userfaultfd_descriptor >= 0) {
		/* It is about the parent's memory; the kernel left ours unregistered. */
		if (!(flags & CLONE_FILES))
			raw_syscall1(SYS_close, (uint64_t)userfaultfd_descriptor);
		userfaultfd_descriptor = -1;
		failed = true;
	}
	if (failed)
		laziness_end(pager, RETIRE_FAILURE, 0);
}

/* Nobody may be in the middle of something when memory is copied. */
static long fork_process(struct thread *thread, struct kernel_context *context, struct birth *birth)
{
	long result;

	lock_take(&resident_pager.lock);
	lock_take(&thread->process->lock);
	lock_take(&resident_threads.lock);
	/* What the child is sent before it has forgotten its parent's is not forgotten. */
	kernel_mask(SIG_BLOCK, FAULT_SIGNALS);
	if (birth->is_clone3) {
		uint64_t stack = birth->arguments.stack, bytes = birth->arguments.stack_bytes;

		/* The child goes on here first, and takes its stack with the other registers. */
		birth->arguments.stack = birth->arguments.stack_bytes = 0;
		result = raw_syscall2(SYS_clone3, (uint64_t)&birth->arguments, birth->length);
		birth->arguments.stack = stack;
		birth->arguments.stack_bytes = bytes;
	} else {
		result = raw_syscall6(SYS_clone, birth->flags, 0, birth->parent_id, birth->child_id,
				      birth->tls, 0);
	}
	if (result == 0)
		thread->deferred = 0;
	kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
	if (result != 0) {
		lock_release(&resident_threads.lock);
		lock_release(&thread->process->lock);
		lock_release(&resident_pager.lock);
		return result;
	}
	begin_alone(thread, birth->flags);
	if (birth->flags & CLEAR_HANDLERS)
		signal_calls_rearm(thread->process);
	if (birth->stack != 0)
		context->registers.rsp = birth->stack;
	return 0;
}

/* Where the child's registers are, at the upper end of its own stack. */
static struct signal_frame *write_frame(const struct thread *child,
					const struct kernel_context *context, uint64_t stack)
{
	uint64_t top = (uint64_t)child & ~UINT64_C(63), area = context->registers.floating_point;
	struct signal_frame *frame;

	if (area != 0) {
		uint64_t length = frame_floating_point_length(area);

		top = (top - length) & ~UINT64_C(63);
		bytes_copy((void *)top, (const void *)area, length);
	}
	frame = (struct signal_frame *)(((top - sizeof(*frame)) & ~UINT64_C(15)) - 8);
	bytes_copy(&frame->context, context, sizeof(*context));
	frame->context.stack = thread_stack(child);
	frame->context.registers.rax = 0;
	if (area != 0)
		frame->context.registers.floating_point = top;
	if (stack != 0)
		frame->context.registers.rsp = stack;
	return frame;
}

static bool is_vfork(uint64_t flags)
{
	return (flags & CLONE_VFORK) != 0;
}

/* Handlers of its own: a copy. It lies on a block, because there is no other memory to be had. */
static struct process *copy_process(const struct process *process)
{
	struct thread *block = blocks_take();
	struct process *copy;

	if (block == NULL)
		return NULL;
	copy = (struct process *)thread_stack(block).start;
	bytes_copy(copy, process, sizeof(*copy));
	copy->lock = 0;
	copy->lazy_threads = 0;
	return copy;
}

static void free_process(struct process *process)
{
	state_free(thread_of_address((uint64_t)process));
}

/* What the child takes over from its parent (copy_process, sas_ss_reset in the kernel). */
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
	state_join(child, process);
	child->reset = (flags & CLEAR_HANDLERS) != 0;
	child->blocked = parent->blocked;
	child->error_code = parent->error_code;
	child->trap_number = parent->trap_number;
	child->fault_address = parent->fault_address;
	child->stack = is_vfork(flags) ? parent->stack : (struct kernel_stack){.flags = SS_DISABLE};
	return child;
}

static void forget(const struct thread *parent, struct thread *child)
{
	if (child->process != parent->process)
		free_process(child->process);
	state_free(child);
}

static long spawn_thread(struct thread *thread, struct kernel_context *context, struct birth *birth)
{
	struct thread *child = new_thread(thread, birth->flags);
	int descriptor = userfaultfd_descriptor;
	struct signal_frame *frame;
	long result;

	if (child == NULL)
		return -EAGAIN;
	frame = write_frame(child, context, birth->stack);
	if (birth->is_clone3) {
		birth->arguments.stack = thread_stack(child).start;
		birth->arguments.stack_bytes = (uint64_t)frame - birth->arguments.stack;
		result =
		    gadget_spawn(SYS_clone3, (uint64_t)&birth->arguments, birth->length, 0, 0, 0);
	} else {
		result = gadget_spawn(SYS_clone, birth->flags, (uint64_t)frame, birth->parent_id,
				      birth->child_id, birth->tls);
	}
	if (result < 0)
		state_forget(child);
	/* The child has ended lazy paging, and closed its own copy. */
	if (is_vfork(birth->flags) && !(birth->flags & CLONE_FILES) && descriptor >= 0 &&
	    userfaultfd_descriptor < 0)
		raw_syscall1(SYS_close, (uint64_t)descriptor);
	/* After vfork the child has left this memory by now. */
	if (result < 0 || (is_vfork(birth->flags) && child->process != thread->process))
		forget(thread, child);
	return result;
}

void processes_begin_thread(struct signal_frame *frame)
{
	struct thread *thread = thread_here();

	state_enter(thread);
	if (thread->reset)
		signal_calls_rearm(thread->process);
	trace(TRACE_THREAD, 0, 0, 0, frame->context.registers.rip);
	if (!intercept(thread))
		laziness_end(&resident_pager, RETIRE_FAILURE, 0);
	handlers_end(thread, &frame->context);
}

long processes_clone(struct thread *thread, struct kernel_context *context)
{
	struct birth birth;
	long result = birth_read(&context->registers, &birth);

	if (result != 0)
		return result;
	return (birth.flags & CLONE_VM) ? spawn_thread(thread, context, &birth)
					: fork_process(thread, context, &birth);
}
