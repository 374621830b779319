/*
 * The handler of the managed signals. Touches of hidden pages, system calls and,
 * for --order, first calls of functions arrive here, together with such signals of the program's
 * own.
 */
#include "loader/resident/arch/fault.h"
#include "common/arch/syscall.h"
#include "common/page.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/emulation.h"
#include "loader/resident/arch/frame.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/base/order.h"
#include "loader/resident/leaving/exec.h"
#include "loader/resident/leaving/leave.h"
#include "loader/resident/pager/pager.h"
#include "loader/resident/pager/rewrite.h"
#include "loader/resident/signal_managed.h"
#include "loader/resident/signals/actions.h"
#include "loader/resident/signals/deferred.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/handlers/signal_handlers.h"
#include "loader/resident/threads/gadget_call.h"
#include "loader/resident/threads/states.h"
#include "loader/resident/base/trace.h"

#include <stddef.h>

/*
 * Whether the kernel raised a signal for what the program has just done. Otherwise the signal was
 * sent. A sent signal may also have an si_code above 0. Signals for the end of a child and for I/O
 * have one, and a process may send itself any.
 */
static bool is_exception(int number, const siginfo_t *info, const struct kernel_context *context)
{
	const struct kernel_registers *registers = &context->registers;

	if (info->si_code <= 0)
		return false;
	if (number == SIGSYS)
		return (uint64_t)info->si_call_addr == registers_place(registers);
	/*
	 * The program may have queued a siginfo again that a handler received (rt_tgsigqueueinfo).
	 */
	if (place_is_after_call(gadget_place(registers_place(registers))))
		return false;
	if (number == SIGTRAP)
		return true;
	return is_about_exception(info, registers);
}

/*
 * Installs the program's action, for a signal that no hidden page caused, when there is no guard.
 */
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
 * Whether a signal is pending that will reach the program at the handler's end. In a native run
 * that signal would have interrupted the call that the loader's handler has interrupted. A signal
 * that only the call's own mask admits interrupts the call after it has been made again.
 */
static bool signal_follows(const struct kernel_context *context)
{
	uint64_t pending = 0;

	raw_syscall2(SYS_rt_sigpending, (uint64_t)&pending, KERNEL_SIGSET_SIZE);
	return (pending & ~context->mask) != 0;
}

/*
 * Makes the thread leave: at the end of the handler that the request has interrupted, or at once.
 */
static void leave_on_request(struct thread *thread, struct kernel_context *context)
{
	enum place place = gadget_place(registers_place(&context->registers));

	if (place_is_ours(place)) {
		gadget_news(thread, context);
		return;
	}
	gadget_unwind(thread, context);
	handlers_resume_call(thread, context,
			     place_is_after_call(place) && !signal_follows(context));
	handlers_end(thread, context);
}

/*
 * Handles a SIGSYS that was sent. The kernel keeps only one pending SIGSYS. So if the program has
 * just made a system call, the kernel dropped the signal of that call, and the program must make
 * the call again.
 *
 * If the last call has been made, its result is in place, and all other registers are as they were
 * then: the program has not executed anything since. One case looks the same (docs/quirks.md): the
 * program wrote the same result to the result register, changed no other register, and made another
 * call at the same instruction.
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

/*
 * Handles a managed signal that is caused neither by a hidden page nor by a system call of the
 * program.
 */
static void on_foreign(struct thread *thread, int number, const siginfo_t *info,
		       struct kernel_context *context)
{
	struct arrival arrival = {
	    .number = number, .forced = is_exception(number, info, context), .info = info};
	enum place place = gadget_place(registers_place(&context->registers));
	uint64_t mask;

	if (!resident_guard.active) {
		pass_on(number, info, context);
	} else if (leave_is_request(thread, info)) {
		leave_on_request(thread, context);
	} else if (place_is_ours(place)) {
		exec_interrupted(thread, context);
		gadget_news(thread, context);
		deferred_add(thread, number, info);
	} else {
		kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
		mask = gadget_unwind(thread, context);
		if (number == SIGSYS)
			find_dropped_call(thread, context);
		handlers_take(thread, context, &arrival, mask, place_is_after_call(place));
		handlers_end(thread, context);
	}
}

/*
 * Reveals the memory that the kernel would write for an operation that it emulates
 * (arch/emulation.h). Returns true if the operation should be repeated.
 */
static bool reveal_for_emulation(const siginfo_t *info, const struct kernel_registers *registers)
{
	uint64_t before = resident_pager.hidden, operand = (uint64_t)info->si_addr;
	struct call call = call_of(registers);

	if (emulation_is_call(registers)) {
		pages_reveal(&resident_pager, call.arguments[0], EMULATED_BYTES);
		pages_reveal(&resident_pager, call.arguments[1], EMULATED_BYTES);
	} else if (info->si_code == SEGV_MAPERR &&
		   pages_object_end(&resident_pager, operand) != 0) {
		/* Reading the instruction may raise another fault. */
		kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
		if (emulation_is_instruction(registers_place(registers)))
			pages_reveal(&resident_pager, operand, EMULATED_BYTES);
	}
	return resident_pager.hidden != before;
}

/*
 * Whether a SIGSYS reports a system call. The program may have sent itself a SIGSYS with the same
 * code, but from another place.
 */
static bool is_dispatch(const siginfo_t *info, const struct kernel_context *context)
{
	return info->si_code == KERNEL_SYS_USER_DISPATCH &&
	       (uint64_t)info->si_call_addr == registers_place(&context->registers);
}

/*
 * Continues after a fault has been served, or when an emulated operation should be repeated. If the
 * thread must leave, it does so first: the kernel may have dropped the request, because this
 * fault's signal was pending. Inside a handler of the loader, the end of that handler checks
 * instead.
 */
static void go_on(struct thread *thread, struct kernel_context *context, bool unblocked)
{
	enum place place = gadget_place(registers_place(&context->registers));

	if (resident_guard.active && !place_is_ours(place) &&
	    (unblocked || state_must_leave(thread)))
		handlers_end(thread, context);
}

static _Noreturn void take_call(struct thread *thread, struct kernel_context *context)
{
	if (ARCH_REWRITES && frame_needs_kernel(context))
		guard_leave(thread, context);
	else if (!guard_call(thread, context))
		handlers_force_segv(thread, context, 0);
	handlers_end(thread, context);
}

void handler_of_managed(int number, void *about, void *where)
{
	const siginfo_t *info = about;
	struct kernel_context *context = where;
	struct fault fault = fault_of(number, info, context);
	enum place place = gadget_place(fault.instruction);
	struct thread *thread = thread_here();

	if (REWRITES && rewrite_takes_call(number, info, &context->registers)) {
		take_call(thread, context);
	} else if (number == SIGSYS && is_dispatch(info, context)) {
		if (info->si_arch == KERNEL_ARCHITECTURE && !call_is_stepped(&context->registers))
			take_call(thread, context);
		guard_leave(thread, context);
		handlers_end(thread, context);
	} else if (number == SIGTRAP && order_serve(info, &context->registers)) {
		go_on(thread, context, false);
	} else if (fault.by_access && !place_is_after_call(place) &&
		   pager_serve(&resident_pager, &fault)) {
		go_on(thread, context, false);
	} else if (info->si_code > 0 && place == PLACE_COPY) {
		registers_set_place(&context->registers, (uint64_t)gadget_copy_fault);
	} else if (number == SIGSEGV && info->si_code > 0 &&
		   reveal_for_emulation(info, &context->registers)) {
		go_on(thread, context, true);
	} else {
		on_foreign(thread, number, info, context);
	}
}
