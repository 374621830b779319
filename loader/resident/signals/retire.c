/*
 * The end of lazy paging: everything goes back to where it would be without us.
 *
 * Each thread leaves by itself, because nobody else can take back its alternate stack and its mask:
 * at its next system call, at the end of a handler of ours, or when it is asked to by a signal with
 * our mark, which the first that leaves sends to those that are between two instructions of the
 * program. Nobody is woken. Until the last one has left, handlers of the program are forwarded: the
 * kernel calls ours, which looks whether the thread still has to leave, and goes on in the
 * program's.
 */
#include "loader/resident/signals/retire.h"

#include "common/arch/x86_64/syscall.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/arch/offsets.h"
#include "loader/resident/threads/gadget_call.h"
#include "loader/resident/signals/exec.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/signals/actions.h"
#include "loader/resident/signals/gate.h"
#include "loader/resident/signals/kernel_actions.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/signals/signal_frames.h"
#include "loader/resident/signals/signal_handlers.h"
#include "loader/resident/threads/lock.h"
#include "loader/resident/trace.h"

#include <errno.h>
#include <stddef.h>

/*
 * Not SIGSYS: as long as one is pending, the kernel drops another one, and with it the news of a
 * system call. A fault whose SIGSEGV is dropped happens again.
 */
#define REQUEST SIGSEGV

/*
 * A thread that is not in a call is asked to leave; it does not notice. One that is in a call may
 * sleep, and is not woken: from now on its calls do not come to us, and it goes on behind this one
 * as if natively, with its own mask (gadget.S); but its alternate stack stays ours until a handler
 * finds it.
 */
static void let_go(struct thread *thread, void *context)
{
	siginfo_t info = {.si_signo = REQUEST, .si_code = SI_QUEUE};
	uint64_t in_call = IN_CALL;

	if (thread->process != context || !thread->guarded)
		return;
	/* Newborn: it leaves at its beginning. */
	if (__atomic_load_n(&thread->id, __ATOMIC_SEQ_CST) == 0) {
		thread->requested = true;
		return;
	}
	if (__atomic_compare_exchange_n(&thread->saved.in_call, &in_call, LET_GO, false,
					__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
		__atomic_store_n(&thread->selector, 0, __ATOMIC_SEQ_CST);
		return;
	}
	info.si_value.sival_ptr = &resident_pager;
	thread->requested = true;
	if (raw_syscall6(SYS_rt_tgsigqueueinfo, (uint64_t)raw_syscall0(SYS_getpid),
			 (uint64_t)thread->id, REQUEST, (uint64_t)&info, 0, 0) != 0)
		thread->requested = false;
}

/*
 * With RLIMIT_SIGPENDING exhausted the kernel delivers the signal without what came with it: from
 * nobody (__send_signal_locked in kernel/signal.c).
 */
bool retire_is_request(const struct thread *thread, const siginfo_t *info)
{
	if (info->si_code == SI_USER && info->si_pid == 0 && thread != NULL)
		return thread->requested;
	return info->si_code == SI_QUEUE && info->si_value.sival_ptr == &resident_pager;
}

/*
 * A thread is no longer guarded. The first one lets the others go; the last one gives the program's
 * handlers back. Who asks holds the lock, so a request has been sent by the time that we have it,
 * and comes in with the next system call, while the signal is still ours.
 */
static bool leave(struct thread *thread)
{
	struct process *process = thread->process;
	bool first;

	lock_take(&process->lock);
	first = !process->leaving;
	thread->requested = true;
	__atomic_store_n(&process->leaving, true, __ATOMIC_SEQ_CST);
	thread->guarded = false;
	process->guarded_threads--;
	raw_syscall0(SYS_getpid);
	kernel_mask(SIG_BLOCK, MANAGED_SIGNALS);
	if (process->guarded_threads == 0) {
		kernel_actions_give_back_locked(process);
	} else if (first) {
		kernel_actions_forward_locked(process);
		threads_visit(let_go, process);
	}
	lock_release(&process->lock);
	return first;
}

void retire_thread(struct thread *thread, struct kernel_context *context)
{
	bool first = leave(thread), was_let_go = thread->selector == 0;

	/* The return from this handler puts these in force. One that was let go may have set
	   another stack since. */
	if (context->stack.start == thread_stack(thread).start)
		context->stack = thread->stack;
	context->mask |= thread->blocked;
	/* Where it has been cleared from elsewhere, a filter may forbid what is not needed. */
	if (was_let_go)
		return;
	raw_syscall6(SYS_prctl, KERNEL_PR_SET_SYSCALL_USER_DISPATCH, KERNEL_PR_SYS_DISPATCH_OFF, 0,
		     0, 0, 0);
	if (first)
		gate_wait_for_others(thread);
	__atomic_store_n(&thread->waits, !first, __ATOMIC_SEQ_CST);
	__atomic_store_n(&thread->selector, 0, __ATOMIC_SEQ_CST);
	if (first)
		gate_open(thread->process);
	else
		gate_wait(thread->process);
}

_Noreturn void retire_exiting(struct thread *thread, uint64_t status)
{
	struct process *process = thread->process;

	trace(TRACE_THREAD_EXIT, 0, 0, 0, 0);
	lock_take(&process->lock);
	thread->guarded = false;
	if (--process->guarded_threads == 0 && process->leaving)
		kernel_actions_give_back_locked(process);
	lock_release(&process->lock);
	__atomic_store_n(&thread->exiting, true, __ATOMIC_RELEASE);
	for (;;)
		raw_syscall1(SYS_exit, status);
}

struct living {
	const struct process *process;
	unsigned count;
};

static void count_living(struct thread *thread, void *context)
{
	struct living *living = context;

	if (thread->process == living->process && thread->guarded &&
	    raw_syscall2(SYS_tkill, (uint64_t)thread->id, 0) != -ESRCH)
		living->count++;
}

bool retire_is_over(struct process *process, int number)
{
	struct living living = {.process = process};
	struct kernel_sigaction now = {.handler = KERNEL_SIG_DFL};

	lock_take(&process->lock);
	threads_visit(count_living, &living);
	if (living.count == 0)
		kernel_actions_give_back_locked(process);
	lock_release(&process->lock);
	return living.count == 0 && kernel_action(number, NULL, &now) == 0 &&
	       !kernel_actions_is_ours(&now);
}

/* What is blocked in a handler, where `mask` was. */
static uint64_t mask_inside(uint64_t mask, const struct kernel_sigaction *action, int number)
{
	mask |= action->mask;
	return action->flags & KERNEL_SA_NODEFER ? mask : mask | KERNEL_SIGNAL_BIT(number);
}

/* Behind the context begins the frame: where the handler returns to. */
static void *go_on_in(const struct kernel_sigaction *action, struct kernel_context *context)
{
	((uint64_t *)context)[-1] = (uint64_t)action->restorer;
	return (void *)action->handler;
}

void *retire_forward_in_place(struct process *process, int number, struct kernel_context *context)
{
	struct kernel_sigaction action = actions_claim(process, number);

	/* Ours blocks more for managed signals; otherwise what a call such as sigsuspend has put in
	   force stays. */
	if (is_managed(number))
		kernel_mask(SIG_SETMASK, mask_inside(context->mask, &action, number));
	else
		kernel_mask(SIG_BLOCK, action.mask);
	return go_on_in(&action, context);
}

/*
 * The kernel has called us on our alternate stack, where the program's handler wants its own: now
 * that this is in the context, the handler begins on it with our return. False: there is no room.
 */
static bool push_frame(struct thread *thread, const struct arrival *arrival,
		       const struct kernel_sigaction *action, struct kernel_context *context,
		       uint64_t mask)
{
	kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
	if (!frame_push(thread, context, arrival, action, mask))
		return false;
	context->mask |= thread->blocked;
	return true;
}

void *retire_deliver(struct thread *thread, const struct arrival *arrival,
		     struct kernel_context *context, uint64_t mask)
{
	struct kernel_sigaction action = actions_claim(thread->process, arrival->number);

	if (thread_here() == thread && push_frame(thread, arrival, &action, context, mask))
		handlers_end(thread, context);
	kernel_mask(SIG_SETMASK, mask_inside(mask, &action, arrival->number));
	return go_on_in(&action, context);
}

void *retire_forward(int number, const siginfo_t *info, struct kernel_context *context)
{
	struct thread *thread = thread_by_id((int32_t)raw_syscall0(SYS_gettid));
	struct process *process = thread != NULL ? thread->process : &resident_process;
	struct arrival arrival = {.number = number, .info = info};
	uint64_t mask;

	if (thread != NULL && gadget_is_ours(context->registers.rip)) {
		exec_interrupted(context);
		actions_send_again(number, info);
		return NULL;
	}
	if (thread == NULL && retire_is_over(process, number)) {
		actions_send_again(number, info);
		return NULL;
	}
	if (thread == NULL)
		return retire_forward_in_place(process, number, context);
	mask = gadget_unwind(thread, context);
	retire_thread(thread, context);
	return retire_deliver(thread, &arrival, context, mask);
}
