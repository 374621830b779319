/* The handler of all other signals that the program handles, and what becomes of a SIGSEGV, SIGBUS
 * or SIGSYS that is its own. */
#include "loader/resident/signals/signal_handlers.h"

#include "common/arch/x86_64/bytes.h"
#include "common/arch/x86_64/syscall.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/threads/gadget_call.h"
#include "loader/resident/signals/exec.h"
#include "loader/resident/pager/laziness.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/signals/actions.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/signals/retire.h"
#include "loader/resident/signals/signal_frames.h"
#include "loader/resident/threads/lock.h"
#include "loader/resident/trace.h"

#include <errno.h>
#include <stddef.h>

/*
 * Ends the process as the kernel would. An access that faults does so again when we return, and
 * the parent sees the true address; everything else is sent once more.
 */
void handlers_take_default(const struct arrival *arrival, const struct kernel_context *context)
{
	static const struct kernel_sigaction standard;
	const siginfo_t *info = arrival->info;
	struct fault fault = fault_of(arrival->number, info, context);
	bool comes_again = arrival->forced && info->si_code > 0 && info->si_code < SI_KERNEL &&
			   arrival->number != SIGSYS;

	if (arrival->forced && arrival->number != SIGSYS)
		trace_fault(TRACE_FATAL, &fault);
	kernel_action(arrival->number, &standard, NULL);
	if (!comes_again)
		actions_send_again(arrival->number, info);
}

/* force_sigsegv: no room for a frame. Without a way to tell the program, it dies. */
static void force_segv(struct thread *thread, struct kernel_context *context, int failed)
{
	siginfo_t info;
	struct arrival arrival = {.number = SIGSEGV, .forced = true, .info = &info};

	bytes_clear(&info, sizeof(info));
	info.si_signo = SIGSEGV;
	info.si_code = SI_KERNEL;
	if (failed == SIGSEGV)
		handlers_take_default(&arrival, context);
	else
		handlers_take(thread, context, &arrival, context->mask | thread->blocked, false);
}

/* A system call has ended only because our handler was called: it goes on. */
static void resume_call(struct thread *thread, struct kernel_context *context, bool called)
{
	if (!called || context->registers.rax != (uint64_t)-EINTR)
		return;
	context->registers.rax = thread->call;
	context->registers.rip -= SYSCALL_BYTES;
}

/*
 * A managed signal that the program has blocked. The kernel has to keep it, and really block it;
 * so lazy paging ends here.
 */
static void let_wait(struct thread *thread, struct kernel_context *context,
		     const struct arrival *arrival)
{
	laziness_end(&resident_pager, RETIRE_SIGNAL, 0);
	retire_thread(thread, context);
	actions_leave_pending(arrival->number, arrival->info);
}

/*
 * A managed signal: what the kernel would do with it, had the program's wishes been carried out.
 * `mask` is what is blocked; `called`: it came in right behind a system call.
 */
void handlers_take(struct thread *thread, struct kernel_context *context,
		   const struct arrival *arrival, uint64_t mask, bool called)
{
	bool blocked = (mask & KERNEL_SIGNAL_BIT(arrival->number)) != 0;
	struct kernel_sigaction action;

	if (blocked && !arrival->forced) {
		resume_call(thread, context, called);
		let_wait(thread, context, arrival);
		return;
	}
	action = actions_claim(thread->process, arrival->number);
	if (action.handler == KERNEL_SIG_IGN && !arrival->forced)
		resume_call(thread, context, called);
	else if (blocked || action.handler == KERNEL_SIG_IGN || action.handler == KERNEL_SIG_DFL)
		handlers_take_default(arrival, context);
	else if (!frame_push(thread, context, arrival, &action, mask))
		force_segv(thread, context, arrival->number);
}

/* The first that came in while the thread was in a handler. FAULT_SIGNALS are blocked. */
static int pop_deferred(struct thread *thread, siginfo_t *info)
{
	unsigned index = 0;

	while ((thread->deferred & KERNEL_SIGNAL_BIT(managed_signals[index])) == 0)
		index++;
	bytes_copy(info, thread->deferred_info[index], sizeof(*info));
	thread->deferred &= ~KERNEL_SIGNAL_BIT(managed_signals[index]);
	return managed_signals[index];
}

/* It is the program's now. */
static void take_deferred(struct thread *thread, struct kernel_context *context)
{
	siginfo_t info;
	struct arrival arrival = {.info = &info};

	kernel_mask(SIG_BLOCK, FAULT_SIGNALS);
	arrival.number = pop_deferred(thread, &info);
	kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
	handlers_take(thread, context, &arrival, gadget_unwind(thread, context), false);
}

void handlers_give_away(struct thread *thread)
{
	siginfo_t info;
	int number;

	kernel_mask(SIG_BLOCK, FAULT_SIGNALS);
	while (thread->deferred != 0) {
		number = pop_deferred(thread, &info);
		actions_leave_pending(number, &info);
	}
}

/* Whether there was something to look after, and may be more. */
static bool look_after_news(struct thread *thread, struct kernel_context *context)
{
	if (!thread->guarded) {
		handlers_give_away(thread);
		return false;
	}
	if (__atomic_load_n(&thread->process->leaving, __ATOMIC_SEQ_CST)) {
		gadget_unwind(thread, context);
		retire_thread(thread, context);
		return true;
	}
	if (thread->deferred == 0)
		return false;
	take_deferred(thread, context);
	return true;
}

_Noreturn void handlers_end(struct thread *thread, struct kernel_context *context)
{
	/* What comes in from here on brings us back, until we have returned. */
	do {
		thread->news = false;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	} while (look_after_news(thread, context));
	gadget_return(thread, context);
}

/* It came into another handler of ours, which looks after it. Standard signals do not queue. */
void handlers_defer(struct thread *thread, int number, const siginfo_t *info)
{
	unsigned index = 0;

	if (thread->deferred & KERNEL_SIGNAL_BIT(number))
		return;
	while (managed_signals[index] != number)
		index++;
	bytes_copy(thread->deferred_info[index], info, sizeof(thread->deferred_info[index]));
	thread->deferred |= KERNEL_SIGNAL_BIT(number);
}

void handler_of_signal(int number, void *info, void *where)
{
	struct kernel_context *context = where;
	struct thread *thread = thread_here();
	struct arrival arrival = {.number = number, .info = info};
	struct kernel_sigaction action;
	uint64_t mask;

	if (thread == NULL || gadget_is_ours(context->registers.rip)) {
		/* Laziness has just ended, or it came in before execve: later. */
		if (thread != NULL)
			exec_interrupted(context);
		actions_send_again(number, info);
		return;
	}
	mask = gadget_unwind(thread, context);
	action = actions_claim(thread->process, number);
	if (action.handler == KERNEL_SIG_DFL || action.handler == KERNEL_SIG_IGN)
		actions_send_again(number, info);
	else if (!frame_push(thread, context, &arrival, &action, mask))
		force_segv(thread, context, number);
	handlers_end(thread, context);
}

void handlers_return(struct thread *thread, struct kernel_context *context)
{
	if (!frame_pop(thread, context))
		force_segv(thread, context, 0);
}
