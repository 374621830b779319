#include "loader/resident/calls/guard.h"

#include "common/arch/syscall.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/frame.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/arguments.h"
#include "loader/resident/calls/ends.h"
#include "loader/resident/calls/executable.h"
#include "loader/resident/calls/masked_call.h"
#include "loader/resident/calls/own_text.h"
#include "loader/resident/calls/processes.h"
#include "loader/resident/calls/tracees.h"
#include "loader/resident/calls/waits.h"
#include "loader/resident/leaving/exec.h"
#include "loader/resident/leaving/leave.h"
#include "loader/resident/signals/signal_calls.h"
#include "loader/resident/signals/signal_frames.h"
#include "loader/resident/threads/gadget_call.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/threads/states.h"
#include "loader/resident/base/trace.h"

#include <stddef.h>
#include <sys/ptrace.h>

/*
 * Intercepting a call costs some 3 us; bringing in a page lazily costs some 5 us. A program that
 * makes many more calls than it touches new pages is faster without either.
 */
#define AUTO_CALLS 64

struct guard resident_guard;

static bool over_limit(const struct pager *pager, uint64_t calls)
{
	switch (resident_guard.limit) {
	case GUARD_NEVER:
		return false;
	case GUARD_AUTO:
		return pager->hidden == 0 || calls > AUTO_CALLS + pager->statistics.faults;
	default:
		return calls > resident_guard.limit;
	}
}

/* Counts a call; with --stats also by its number. Returns the count including this one. */
static uint64_t count_call(struct pager *pager, uint64_t number)
{
	uint64_t place = number < COUNTED_CALLS ? number : COUNTED_CALLS;

	if (pager->calls != NULL)
		__atomic_add_fetch(&pager->calls[place], 1, __ATOMIC_RELAXED);
	return __atomic_add_fetch(&pager->statistics.calls, 1, __ATOMIC_RELAXED);
}

/*
 * Counts the call, and decides whether the thread leaves before it, by the mode. A thread
 * that leaves waits for all other threads, and makes calls in which they wait start again; such a
 * wait can take the program's whole run. So lazy paging ends before a call that may wait, except
 * with `--retire=never`.
 *
 * All threads leave before a thread sends another thread a managed signal: the kernel keeps one
 * signal of each number, and would drop this one if a fault had raised the same. They also leave
 * before a signal that the sender has blocked. They leave before execve, because a thread inside
 * execve cannot be asked to leave.
 */
static bool should_hand_over(struct pager *pager, const struct thread *thread,
			     const struct system_call *kind, const struct call *call, uint64_t mask,
			     bool waits)
{
	uint64_t calls = count_call(pager, call->number);
	enum ends ends = needs_own_text(kind, call) ? ENDS_DISPATCH
						    : ends_before(thread, kind, call, mask, waits);

	if (guard_mode() == MODE_LAZY && over_limit(pager, calls))
		laziness_end(pager, RETIRE_CALLS, 0);
	if (guard_mode() == MODE_LAZY &&
	    (ends != ENDS_NOTHING || (waits && resident_guard.limit != GUARD_NEVER)))
		laziness_end(pager, RETIRE_CALL, (long)call->number);
	switch (guard_mode()) {
	case MODE_LAZY:
		return false;
	case MODE_ANSWERS:
		return ends == ENDS_DISPATCH || (order_is_active() && order_changes(call));
	case MODE_REPORTS:
		return ends != ENDS_NOTHING;
	default:
		return true;
	}
}

/*
 * For --trace: writes the result of the thread's last call, which the gadget does not report, and
 * then the call that the thread is about to make.
 */
static void trace_next_call(struct thread *thread, const struct call *call)
{
	if (__builtin_expect(resident_trace == NULL, 1))
		return;
	if (thread->traced)
		trace(TRACE_RESULT, (int)thread->traced_call, thread->result, 0, 0);
	trace_call(call, thread->call_pages);
	/* After a handler's return the result register holds a value of the program's. */
	thread->traced = call->number != SYS_rt_sigreturn;
	thread->traced_call = call->number;
}

/* Answers a call. Returns false if the gadget makes it, after the end of the handler. */
static bool answer(struct thread *thread, const struct system_call *kind, struct call *call,
		   struct kernel_context *context, long *result)
{
	if ((order_is_active() && order_makes(call, result)) ||
	    (resident_guard.names_executable && executable_answers(call, result)))
		return true;
	switch (kind->action) {
	case CALL_SIGNALS:
		*result = signal_call(thread, call, &context->mask);
		return true;
	case CALL_CLONE:
		*result = processes_clone(thread, call, context);
		return true;
	case CALL_EXEC:
		*result = exec_make(thread, call, context->mask | thread->blocked);
		return true;
	case CALL_EXIT:
		leave_by_exit(thread, call->arguments[0]);
	case CALL_TEMPORARY_MASK:
		masked_call_prepare(thread, call);
		break;
	case CALL_KEYS:
		gadget_has_keys = frame_has_keys(context);
		break;
	default:
		break;
	}
	gadget_enter(thread, call, context);
	return false;
}

void guard_leave(struct thread *thread, struct kernel_context *context, enum leaving_turn turn)
{
	laziness_end(&resident_pager, RETIRE_CALL, (long)call_of(&context->registers).number);
	leave(thread, context, turn);
	call_back_up(&context->registers);
}

bool guard_call(struct thread *thread, struct kernel_context *context)
{
	struct kernel_registers *registers = &context->registers;
	struct call call = call_of(registers);
	struct system_call kind = system_call_of(call.number);
	struct pager *pager = &resident_pager;
	bool waits = state_others_are_lazy(thread) && waits_may_wait(&kind, &call);
	bool answered = true, returns = true;
	long result;

	thread->has_temporary_mask = false;
	thread->call_pages = 0;
	if (should_hand_over(pager, thread, &kind, &call, context->mask, waits) ||
	    (ARCH_REWRITES && kind.action == CALL_SIGRETURN && frame_is_long(call.stack))) {
		if (call.number == SYS_ptrace && call.arguments[0] != PTRACE_TRACEME)
			tracees_leave(thread);
		guard_leave(thread, context, waits_turn(&kind, &call));
		return true;
	}
	arguments_reveal(kind, &call);
	/* An explained program's later calls are no part of the story. */
	if (guard_mode() == MODE_LAZY || !resident_guard.reports)
		trace_next_call(thread, &call);
	call_leave_traces(registers);
	if (kind.action == CALL_SIGRETURN)
		returns = frame_pop(thread, context, call.stack);
	else if (!answer(thread, &kind, &call, context, &result))
		answered = false;
	else if (result == -KERNEL_RESTART)
		call_back_up(registers);
	else
		call_set_result(registers, result);
	if (answered) {
		thread->saved = *registers;
		thread->result = (uint64_t)call_result(registers);
	}
	if (pager->verify)
		verify_pages(pager);
	return returns;
}
