/* The handler of SIGSEGV, SIGBUS and SIGSYS. */
#include "loader/resident/signals/signal_managed.h"

#include "common/arch/x86_64/fault.h"
#include "common/arch/x86_64/syscall.h"
#include "common/page.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/signals/exec.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/pager/pager.h"
#include "loader/resident/signals/actions.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/signals/retire.h"
#include "loader/resident/signals/signal_handlers.h"
#include "loader/resident/threads/gadget_call.h"
#include "loader/resident/trace.h"

#include <stddef.h>

/* Where vsyscalls are, and how much the kernel writes at most for what it emulates. */
#define VSYSCALL_PAGE  UINT64_C(0xffffffffff600000)
#define EMULATED_BYTES 16

#define INSTRUCTION_BYTES_MAX 15

/*
 * Whether the kernel raised it about what the program has just done; or somebody sent it, and only
 * chose an si_code above 0, which a process may for itself.
 */
static bool is_exception(int number, const siginfo_t *info, const struct kernel_context *context)
{
	if (info->si_code <= 0)
		return false;
	if (number == SIGSYS)
		return (uint64_t)info->si_call_addr == context->registers.rip;
	return info->si_code == SI_KERNEL || fault_of(number, info, context).by_access ||
	       (number == SIGBUS && info->si_code != BUS_ADRERR) ||
	       (number == SIGSEGV && info->si_code != SEGV_MAPERR && info->si_code != SEGV_ACCERR);
}

/* Nobody's page, and no thread of ours: what the program asked for is put in force. */
static void pass_on(int number, const siginfo_t *info, const struct kernel_context *context)
{
	const struct kernel_sigaction *action = &resident_process.actions[number];
	struct fault fault = fault_of(number, info, context);

	if (action->handler == KERNEL_SIG_DFL && info->si_code > 0)
		trace_fault(TRACE_FATAL, &fault);
	kernel_action(number, action, NULL);
	if (info->si_code <= 0)
		actions_send_again(number, info);
}

static bool is_behind_call(uint64_t place)
{
	return place > (uint64_t)gadget_start && place < (uint64_t)gadget_end;
}

static void leave_on_request(struct thread *thread, struct kernel_context *context)
{
	if (gadget_is_ours(context->registers.rip)) {
		gadget_news(thread, context);
		return;
	}
	gadget_unwind(thread, context);
	retire_thread(thread, context);
}

/* A thread that has left, while others have not. Returns the handler to go on in. */
static void *natively(int number, const siginfo_t *info, struct kernel_context *context)
{
	struct process *process = &resident_process;
	void (*handler)(int, void *, void *) = process->actions[number].handler;
	struct arrival arrival = {
	    .number = number, .forced = is_exception(number, info, context), .info = info};

	if (retire_is_over(process, number)) {
		if (!arrival.forced)
			actions_send_again(number, info);
		return NULL;
	}
	if (handler == KERNEL_SIG_IGN && !arrival.forced)
		return NULL;
	if (handler != KERNEL_SIG_DFL && handler != KERNEL_SIG_IGN)
		return retire_forward_in_place(process, number, context);
	handlers_take_default(&arrival, context);
	return NULL;
}

/* A thread that has been let go in a call leaves first. */
static void *on_let_go(struct thread *thread, const struct arrival *arrival,
		       struct kernel_context *context)
{
	void (*handler)(int, void *, void *) = thread->process->actions[arrival->number].handler;
	uint64_t mask = gadget_unwind(thread, context);

	retire_thread(thread, context);
	if ((mask & KERNEL_SIGNAL_BIT(arrival->number)) == 0 && handler != KERNEL_SIG_DFL &&
	    handler != KERNEL_SIG_IGN)
		return retire_deliver(thread, arrival, context, mask);
	return natively(arrival->number, arrival->info, context);
}

/*
 * Somebody has sent a SIGSYS. If the program has just made a system call, the kernel dropped the
 * news of that, because it keeps no second SIGSYS: the call is to be made again. A `syscall`
 * instruction leaves the address behind it in rcx. So does a call that we have made, but then rax
 * still holds its result, and rip is where it was made.
 */
static void find_dropped_call(const struct thread *thread, struct kernel_context *context)
{
	struct kernel_registers *registers = &context->registers;
	uint16_t instruction;

	if (registers->rcx == registers->rip &&
	    (registers->rip != thread->saved.rip || registers->rax != thread->saved.result) &&
	    gadget_copy(&instruction, (const void *)(registers->rip - SYSCALL_BYTES),
			sizeof(instruction)) == 0 &&
	    instruction == SYSCALL_INSTRUCTION)
		registers->rip -= SYSCALL_BYTES;
}

/* A managed signal that is neither about a hidden page nor a system call of the program. */
static void *on_foreign(int number, const siginfo_t *info, struct kernel_context *context)
{
	struct thread *thread = thread_here();
	struct arrival arrival = {
	    .number = number, .forced = is_exception(number, info, context), .info = info};
	uint64_t place = context->registers.rip, mask;

	if (!resident_guard.active) {
		pass_on(number, info, context);
	} else if (retire_is_request(thread, info)) {
		if (thread != NULL && thread->guarded)
			leave_on_request(thread, context);
	} else if (thread != NULL && gadget_is_ours(place)) {
		exec_interrupted(context);
		gadget_news(thread, context);
		handlers_defer(thread, number, info);
	} else if (thread == NULL || !thread->guarded) {
		return natively(number, info, context);
	} else if (thread->selector == 0) {
		return on_let_go(thread, &arrival, context);
	} else {
		kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
		mask = gadget_unwind(thread, context);
		if (number == SIGSYS)
			find_dropped_call(thread, context);
		handlers_take(thread, context, &arrival, mask, is_behind_call(place));
		handlers_end(thread, context);
	}
	return NULL;
}

/* Of an instruction (SDM 2.1.1, 2.2.1): segments, REX, sizes, repetition. */
static bool is_prefix(uint8_t byte)
{
	return (byte & 0xe7) == 0x26 || (byte & 0xf0) == 0x40 || (byte & 0xfc) == 0x64 ||
	       (byte & 0xfe) == 0xf2;
}

/* Whether sgdt, sidt, sldt, str or smsw is there: 0f 00 or 0f 01. */
static bool is_refused_instruction(uint64_t place)
{
	uint8_t code[2] = {0};

	for (unsigned i = 0; i < INSTRUCTION_BYTES_MAX; i++, place++) {
		if (gadget_copy(code, (const void *)place, sizeof(code)) != 0)
			return false;
		if (!is_prefix(code[0]))
			break;
	}
	return code[0] == 0x0f && code[1] <= 1;
}

/*
 * What the kernel emulates and writes to memory for: calls on a page that programs of long ago have
 * (arch/x86/entry/vsyscall), and instructions such as sgdt, which the processor refuses
 * (arch/x86/kernel/umip.c). Given hidden memory it raises SIGSEGV, where an instruction would find
 * a page that is there. True if it is worth doing again.
 */
static bool reveal_for_emulation(const siginfo_t *info, const struct kernel_registers *registers)
{
	uint64_t before = resident_pager.hidden, operand = (uint64_t)info->si_addr;

	if (page_floor(registers->rip) == VSYSCALL_PAGE) {
		pages_reveal(&resident_pager, registers->rdi, EMULATED_BYTES);
		pages_reveal(&resident_pager, registers->rsi, EMULATED_BYTES);
	} else if (info->si_code == SEGV_MAPERR &&
		   pages_object_end(&resident_pager, operand) != 0) {
		/* To read the instruction may raise another fault. */
		kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
		if (is_refused_instruction(registers->rip))
			pages_reveal(&resident_pager, operand, EMULATED_BYTES);
	}
	return resident_pager.hidden != before;
}

/* News of a system call, and not a SIGSYS that looks the same but was sent by the program itself.
 */
static bool is_dispatch(const siginfo_t *info, const struct kernel_context *context)
{
	return info->si_code == KERNEL_SYS_USER_DISPATCH &&
	       (uint64_t)info->si_call_addr == context->registers.rip;
}

void *handler_of_managed(int number, const siginfo_t *info, struct kernel_context *context)
{
	struct fault fault = fault_of(number, info, context);
	struct thread *thread;

	if (number == SIGSYS && is_dispatch(info, context)) {
		thread = thread_here();
		/* In a handler that another thread, which has left, installed without us: the
		   kernel has disarmed our stack for the time of it. */
		if (thread == NULL)
			thread = thread_by_id((int32_t)raw_syscall0(SYS_gettid));
		if (info->si_arch == KERNEL_ARCH_X86_64 &&
		    !(context->registers.rflags & RFLAGS_TRAP))
			guard_call(thread, context);
		else
			guard_leave(thread, context);
		handlers_end(thread, context);
	}
	if (fault.by_access && pager_serve(&resident_pager, &fault))
		return NULL;
	if (info->si_code > 0 && fault.instruction == (uint64_t)gadget_copy_access) {
		context->registers.rip = (uint64_t)gadget_copy_fault;
		return NULL;
	}
	if (number == SIGSEGV && info->si_code > 0 &&
	    reveal_for_emulation(info, &context->registers)) {
		/* FAULT_SIGNALS were unblocked for that. */
		thread = thread_here();
		if (thread != NULL)
			handlers_end(thread, context);
		return NULL;
	}
	return on_foreign(number, info, context);
}
