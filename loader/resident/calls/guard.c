#include "loader/resident/calls/guard.h"

#include "common/arch/syscall.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/frame.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/arguments.h"
#include "loader/resident/calls/birth.h"
#include "loader/resident/calls/ends.h"
#include "loader/resident/calls/executable.h"
#include "loader/resident/calls/masked_call.h"
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

struct guard resident_guard;

/* Answers a call. Returns false if the gadget makes it, after the end of the handler. */
static bool answer(struct thread *thread, const struct system_call *kind, struct call *call,
		   struct kernel_context *context, long *result)
{
	struct birth birth;

	if ((order_is_active() && order_makes(call, result)) ||
	    (resident_guard.names_executable && executable_answers(call, result)))
		return true;
	switch (kind->action) {
	case CALL_SIGNALS:
		*result = signal_call(thread, call, &context->mask);
		return true;
	case CALL_CLONE:
		*result = birth_read(call, &birth);
		if (*result == 0)
			*result = processes_clone(thread, &birth, context);
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

void guard_leave(struct thread *thread, struct kernel_context *context)
{
	laziness_end(RETIRE_CALL, (long)call_of(&context->registers).number);
	leave_before(thread, context, TURN_GOES_ON, NULL);
}

bool guard_call(struct thread *thread, struct kernel_context *context)
{
	struct kernel_registers *registers = &context->registers;
	struct call call = call_of(registers);
	struct system_call kind = system_call_of(call.number);
	bool waits = state_others_are_lazy(thread) && waits_may_wait(&kind, &call);
	bool answered = true, returns = true;
	long result;

	thread->has_temporary_mask = false;
	thread->call_pages = 0;
	if (ends_must_leave(thread, &kind, &call, context->mask, waits)) {
		if (call.number == SYS_ptrace && call.arguments[0] != PTRACE_TRACEME)
			tracees_leave(thread);
		leave_before(thread, context, waits_turn(&kind, &call), &call);
		return true;
	}
	arguments_reveal(kind, &call);
	/* An explained program's later calls are no part of the story. */
	if (resident_trace != NULL && (guard_mode() == MODE_LAZY || !resident_guard.reports))
		trace_call(&thread->traced, thread->result, &call, thread->call_pages);
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
	if (resident_pager.verify)
		verify_pages();
	return returns;
}
