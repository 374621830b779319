/*
 * The handler of SIGSEGV, SIGBUS, SIGSYS and SIGTRAP: how touches of hidden pages, system calls
 * and, for --order, first calls of functions reach us, while the program has such signals of its
 * own.
 */
#include "loader/resident/arch/fault.h"
#include "common/arch/syscall.h"
#include "common/page.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/emulation.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/order.h"
#include "loader/resident/pager/pager.h"
#include "loader/resident/signals/parts.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/signals/signal_handlers.h"
#include "loader/resident/threads/gadget_call.h"
#include "loader/resident/threads/states.h"
#include "loader/resident/trace.h"

#include <stddef.h>

/* Whether a place is after a system call in the gadget, where nothing touches memory of the
 * program. */
static bool is_after_call(uint64_t place)
{
	return place > (uint64_t)gadget_start && place < (uint64_t)gadget_end;
}

/*
 * Whether the kernel raised a signal about what the program has just done. Otherwise somebody sent
 * the signal, with an si_code above 0, as the end of a child and news of a file have it, and a
 * process may choose for itself.
 */
static bool is_exception(int number, const siginfo_t *info, const struct kernel_context *context)
{
	const struct kernel_registers *registers = &context->registers;

	if (info->si_code <= 0)
		return false;
	if (number == SIGSYS)
		return (uint64_t)info->si_call_addr == registers_place(registers);
	/* A siginfo that a handler had, queued again by the program (rt_tgsigqueueinfo). */
	if (is_after_call(registers_place(registers)))
		return false;
	if (number == SIGTRAP)
		return true;
	return is_about_exception(info, registers);
}

/* For a signal that is about no page of ours, without a guard: what the program asked for is put in
 * force. */
static void pass_on(int number, const siginfo_t *info, const struct kernel_context *context)
{
	const struct kernel_sigaction *action = &resident_process.actions[number];
	struct fault fault = fault_of(number, info, context);

	if (info->si_code <= 0 && handlers_ignore(action))
		return;
	if (action->handler == KERNEL_SIG_DFL && info->si_code > 0)
		trace_fault(TRACE_FATAL, &fault);
	kernel_action(number, action, NULL);
	if (info->si_code <= 0)
		actions_send_again(number, info);
}

/*
 * Whether a signal is pending that reaches the program at the handler's end: natively that signal
 * would have ended the call that ours has interrupted. A signal that only the call's own mask lets
 * through ends the call when the call has begun anew.
 */
static bool signal_follows(const struct kernel_context *context)
{
	uint64_t pending = 0;

	raw_syscall2(SYS_rt_sigpending, (uint64_t)&pending, KERNEL_SIGSET_SIZE);
	return (pending & ~context->mask) != 0;
}

/* The thread leaves at the end of the handler of ours that the request has interrupted, or at once.
 */
static void leave_on_request(struct thread *thread, struct kernel_context *context)
{
	uint64_t place = registers_place(&context->registers);

	if (gadget_is_ours(place)) {
		gadget_news(thread, context);
		return;
	}
	gadget_unwind(thread, context);
	handlers_resume_call(thread, context, is_after_call(place) && !signal_follows(context));
	handlers_end(thread, context);
}

/*
 * Somebody has sent a SIGSYS. If the program has just made a system call, the kernel dropped the
 * news of that, because it keeps no second SIGSYS: the program has to make the call again. After a
 * call that we have made its result is there, and all other registers are as they were then: the
 * program has not gone on since. Where it has, and changes nothing but the result, which is that
 * one again, before the same instruction makes another call, this one is taken for the last
 * (docs/quirks.md).
 */
static void find_dropped_call(const struct thread *thread, struct kernel_context *context)
{
	struct kernel_registers *registers = &context->registers;
	uint8_t instruction[CALL_BYTES];

	if (call_may_be_missing(registers, &thread->saved, thread->result) &&
	    gadget_copy(instruction, (const void *)(registers_place(registers) - CALL_BYTES),
			sizeof(instruction)) == 0 &&
	    call_is_instruction(instruction))
		call_back_up(registers);
}

/* A managed signal that is neither about a hidden page nor a system call of the program. */
static void on_foreign(struct thread *thread, int number, const siginfo_t *info,
		       struct kernel_context *context)
{
	struct arrival arrival = {
	    .number = number, .forced = is_exception(number, info, context), .info = info};
	uint64_t place = registers_place(&context->registers), mask;

	if (!resident_guard.active) {
		pass_on(number, info, context);
	} else if (leave_is_request(thread, info)) {
		leave_on_request(thread, context);
	} else if (gadget_is_ours(place)) {
		exec_interrupted(thread, context);
		gadget_news(thread, context);
		deferred_add(thread, number, info);
	} else {
		kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
		mask = gadget_unwind(thread, context);
		if (number == SIGSYS)
			find_dropped_call(thread, context);
		handlers_take(thread, context, &arrival, mask, is_after_call(place));
		handlers_end(thread, context);
	}
}

/*
 * Reveals what the kernel would write to for what it emulates (arch/emulation.h). True if it is
 * worth doing again.
 */
static bool reveal_for_emulation(const siginfo_t *info, const struct kernel_registers *registers)
{
	uint64_t before = resident_pager.hidden, operand = (uint64_t)info->si_addr;

	if (emulation_is_call(registers)) {
		pages_reveal(&resident_pager, call_argument(registers, 0), EMULATED_BYTES);
		pages_reveal(&resident_pager, call_argument(registers, 1), EMULATED_BYTES);
	} else if (info->si_code == SEGV_MAPERR &&
		   pages_object_end(&resident_pager, operand) != 0) {
		/* To read the instruction may raise another fault. */
		kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
		if (emulation_is_instruction(registers_place(registers)))
			pages_reveal(&resident_pager, operand, EMULATED_BYTES);
	}
	return resident_pager.hidden != before;
}

/* News of a system call, and not a SIGSYS that looks the same but was sent by the program itself.
 */
static bool is_dispatch(const siginfo_t *info, const struct kernel_context *context)
{
	return info->si_code == KERNEL_SYS_USER_DISPATCH &&
	       (uint64_t)info->si_call_addr == registers_place(&context->registers);
}

/*
 * A fault has been served, or what the kernel emulates is worth doing again: the program goes on,
 * unless its thread has to leave. A request for that may have been dropped by the kernel, because
 * this fault's signal was pending. Inside a handler of ours its end looks.
 */
static void go_on(struct thread *thread, struct kernel_context *context, bool unblocked)
{
	if (resident_guard.active && !gadget_is_ours(registers_place(&context->registers)) &&
	    (unblocked || state_must_leave(thread)))
		handlers_end(thread, context);
}

void handler_of_managed(int number, void *about, void *where)
{
	const siginfo_t *info = about;
	struct kernel_context *context = where;
	struct fault fault = fault_of(number, info, context);
	struct thread *thread = thread_here();

	if (number == SIGSYS && is_dispatch(info, context)) {
		if (info->si_arch == KERNEL_ARCHITECTURE && !call_is_stepped(&context->registers))
			guard_call(thread, context);
		else
			guard_leave(thread, context, TURN_GOES_ON);
		handlers_end(thread, context);
	} else if (number == SIGTRAP && order_serve(info, &context->registers)) {
		go_on(thread, context, false);
	} else if (fault.by_access && !is_after_call(fault.instruction) &&
		   pager_serve(&resident_pager, &fault)) {
		go_on(thread, context, false);
	} else if (info->si_code > 0 && fault.instruction == (uint64_t)gadget_copy_access) {
		registers_set_place(&context->registers, (uint64_t)gadget_copy_fault);
	} else if (number == SIGSEGV && info->si_code > 0 &&
		   reveal_for_emulation(info, &context->registers)) {
		go_on(thread, context, true);
	} else {
		on_foreign(thread, number, info, context);
	}
}
