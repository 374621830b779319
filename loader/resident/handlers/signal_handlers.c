/*
 * The handler of all other signals that the program handles, and the delivery of a SIGSEGV, SIGBUS
 * or SIGSYS that belongs to the program.
 */
#include "loader/resident/handlers/signal_handlers.h"

#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/leaving/exec.h"
#include "loader/resident/leaving/leave.h"
#include "loader/resident/signals/actions.h"
#include "loader/resident/signals/deferred.h"
#include "loader/resident/threads/gadget_call.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/threads/states.h"
#include "loader/resident/base/trace.h"

#include <errno.h>
#include <stddef.h>

/*
 * Applies the kernel's default action. If an access faulted, it faults again after the return, and
 * the parent sees the true address. Any other signal is sent again.
 */
static void take_default(const struct arrival *arrival, const struct kernel_context *context)
{
	static const struct kernel_sigaction standard;
	const siginfo_t *info = arrival->info;
	struct fault fault = fault_of(arrival->number, info, context);
	bool comes_again = arrival->forced && info->si_code > 0 && info->si_code < SI_KERNEL &&
			   arrival->number != SIGSYS && arrival->number != SIGTRAP;

	if (arrival->forced && arrival->number != SIGSYS)
		trace_fault(TRACE_FATAL, &fault);
	kernel_action(arrival->number, &standard, NULL);
	if (!comes_again)
		actions_send_again(arrival->number, info);
}

void handlers_force_segv(struct thread *thread, struct kernel_context *context, int failed)
{
	siginfo_t info;
	struct arrival arrival = {.number = SIGSEGV, .forced = true, .info = &info};

	bytes_clear(&info, sizeof(info));
	info.si_signo = SIGSEGV;
	info.si_code = SI_KERNEL;
	if (failed == SIGSEGV)
		take_default(&arrival, context);
	else
		handlers_take(thread, context, &arrival, context->mask | thread->blocked, false);
}

void handlers_resume_call(struct thread *thread, struct kernel_context *context, bool called)
{
	if (!called || call_result(&context->registers) != -EINTR)
		return;
	call_set_result(&context->registers, call_result(&thread->saved));
	call_back_up(&context->registers);
}

/*
 * Keeps a managed signal that the program has blocked. Only the kernel can keep it pending and
 * really block it, so lazy paging ends here.
 */
static void let_wait(struct thread *thread, struct kernel_context *context,
		     const struct arrival *arrival)
{
	laziness_end(RETIRE_SIGNAL, 0);
	kernel_mask(SIG_BLOCK, FAULT_SIGNALS);
	deferred_add(thread, arrival->number, arrival->info);
	leave(thread, context, TURN_GOES_ON, NULL);
}

bool handlers_ignore(const struct kernel_sigaction *action)
{
	return action->handler == KERNEL_SIG_IGN ||
	       (action->handler == KERNEL_SIG_DFL && raw_syscall0(SYS_getpid) == 1);
}

void handlers_take(struct thread *thread, struct kernel_context *context,
		   const struct arrival *arrival, uint64_t mask, bool called)
{
	bool blocked = (mask & KERNEL_SIGNAL_BIT(arrival->number)) != 0;
	struct kernel_sigaction action;

	if (blocked && !arrival->forced) {
		handlers_resume_call(thread, context, called);
		let_wait(thread, context, arrival);
		return;
	}
	action = actions_claim(thread->process, arrival->number);
	if (!arrival->forced && handlers_ignore(&action))
		handlers_resume_call(thread, context, called);
	else if (blocked || action.handler == KERNEL_SIG_IGN || action.handler == KERNEL_SIG_DFL)
		take_default(arrival, context);
	else if (!frame_push(thread, context, arrival, &action, mask))
		handlers_force_segv(thread, context, arrival->number);
}

/* Delivers a signal that was deferred. */
static void take_deferred(struct thread *thread, struct kernel_context *context)
{
	siginfo_t info;
	struct arrival arrival = {.info = &info};

	kernel_mask(SIG_BLOCK, FAULT_SIGNALS);
	arrival.number = deferred_take(thread, &info);
	kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
	handlers_take(thread, context, &arrival, gadget_unwind(thread, context), false);
}

/*
 * Handles one reason why the handler cannot end yet. Returns whether there was one; there may be
 * more.
 */
static bool look_after_news(struct thread *thread, struct kernel_context *context)
{
	if (state_must_leave(thread)) {
		gadget_unwind(thread, context);
		/* Lazy paging has not ended yet if a tracer has asked (tracees.c). */
		laziness_end(RETIRE_CALL, SYS_ptrace);
		leave(thread, context, TURN_GOES_ON, NULL);
	} else if (thread->deferred != 0) {
		take_deferred(thread, context);
	} else {
		return false;
	}
	return true;
}

_Noreturn void handlers_end(struct thread *thread, struct kernel_context *context)
{
	/* A signal that arrives from here on makes this function start again, until the return. */
	do {
		thread->news = false;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	} while (look_after_news(thread, context));
	if (thread->awaited)
		context = thread_last_context(thread, context);
	gadget_return(thread, context);
}

void handler_of_signal(int number, void *info, void *where)
{
	struct kernel_context *context = where;
	struct thread *thread = thread_here();
	struct arrival arrival = {.number = number, .info = info};
	struct kernel_sigaction action;
	uint64_t mask;

	/*
	 * The thread is about to make execve; only there are such signals unblocked. The call is
	 * made again after the signal has been handled.
	 */
	if (place_is_ours(gadget_place(registers_place(&context->registers)))) {
		exec_interrupted(thread, context);
		actions_send_again(number, info);
		return;
	}
	mask = gadget_unwind(thread, context);
	action = actions_claim(thread->process, number);
	if (action.handler == KERNEL_SIG_DFL || action.handler == KERNEL_SIG_IGN)
		actions_send_again(number, info);
	else if (!frame_push(thread, context, &arrival, &action, mask))
		handlers_force_segv(thread, context, number);
	handlers_end(thread, context);
}
