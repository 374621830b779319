#include "loader/resident/calls/guard.h"

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/frame.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/arguments.h"
#include "loader/resident/calls/executable.h"
#include "loader/resident/calls/masked_call.h"
#include "loader/resident/calls/proc_files.h"
#include "loader/resident/calls/processes.h"
#include "loader/resident/calls/tracees.h"
#include "loader/resident/calls/waits.h"
#include "loader/resident/leaving/exec.h"
#include "loader/resident/leaving/leave.h"
#include "loader/resident/signals/signal_calls.h"
#include "loader/resident/threads/gadget_call.h"
#include "loader/resident/calls/birth.h"
#include "loader/resident/calls/old_calls.h"
#include "loader/resident/base/order.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/handlers/signal_handlers.h"
#include "loader/resident/threads/states.h"
#include "loader/resident/base/trace.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/*
 * Intercepting a call costs some 3 us; bringing in a page lazily costs some 5 us. A program that
 * makes many more calls than it touches new pages is faster without either.
 */
#define AUTO_CALLS 64

struct guard resident_guard;

/*
 * Whether a call might reveal or close the descriptor of the engine userfaultfd. Most calls have a
 * descriptor as their first argument. If the first argument only looks like that descriptor, the
 * one cost is that lazy paging ends. A return from a handler has no arguments.
 */
static bool is_about_ours(const struct system_call *call, const struct kernel_registers *registers)
{
	uint64_t ours = (uint64_t)(unsigned)userfaultfd_descriptor, number = call_number(registers);
	unsigned first = (unsigned)call_argument(registers, 0);
	unsigned second = (unsigned)call_argument(registers, 1);

	if (userfaultfd_descriptor < 0 || call->action == CALL_SIGRETURN)
		return false;
	/* mremap would invalidate the engine's records; mincore would show its pages of zeros. */
	if (number == SYS_mremap || number == SYS_mincore)
		return true;
	if (number == KERNEL_SYS_CLOSE_RANGE)
		return first <= ours && ours <= second;
	if (number == SYS_dup2 || number == SYS_dup3)
		return second == ours || first == ours;
	return call->a == ARGUMENT_V && first == ours;
}

static bool waits_for_managed(const struct kernel_registers *registers)
{
	bool is_timed = call_number(registers) == SYS_rt_sigtimedwait;
	uint64_t set, address = call_argument(registers, is_timed ? 0 : 1);

	return gadget_copy(&set, (const void *)address, sizeof(set)) == 0 &&
	       (set & MANAGED_SIGNALS) != 0;
}

static bool sets_limit_of_data(const struct kernel_registers *registers)
{
	bool is_setrlimit = call_number(registers) == SYS_setrlimit;
	uint64_t resource = call_argument(registers, is_setrlimit ? 0 : 1);

	return ((unsigned)resource == RLIMIT_DATA || (unsigned)resource == RLIMIT_AS) &&
	       (is_setrlimit || call_argument(registers, 2) != 0);
}

/*
 * Whether lazy paging continues. A guard without hidden pages may stay only to see how the program
 * ends, or for --order. Then lazy paging has not been ended, but paging is not lazy either.
 */
static bool is_lazy(const struct pager *pager)
{
	return pager->retired == RETIRE_NOT &&
	       (resident_guard.pages_hidden || !(resident_guard.stays || order_is_active()));
}

/* Whether madvise installs guard markers, or makes pages missing again (userfaultfd). */
static bool advises_region(const struct kernel_registers *registers)
{
	bool marks = (int)call_argument(registers, 2) == KERNEL_MADV_GUARD_INSTALL;

	resident_guard.program_marks |= marks;
	return (marks || userfaultfd_descriptor >= 0) &&
	       pages_overlap(&resident_pager, call_argument(registers, 0),
			     call_argument(registers, 1));
}

/* Whether mremap moves pages to a region: guard markers move with the pages. */
static bool moves_to_region(const struct kernel_registers *registers)
{
	return resident_guard.program_marks && call_number(registers) == SYS_mremap &&
	       (call_argument(registers, 3) & MREMAP_FIXED) != 0 &&
	       pages_overlap(&resident_pager, call_argument(registers, 4),
			     call_argument(registers, 2));
}

/* Whether a mapping grows down. The kernel keeps no gap to PROT_NONE pages below it. */
static bool maps_what_grows(const struct kernel_registers *registers)
{
	return call_number(registers) == SYS_mmap &&
	       (call_argument(registers, 3) & MAP_GROWSDOWN) != 0;
}

/* Whether a call would invalidate the pager's records, or the interception of calls. */
static bool ends_laziness(const struct system_call *call, const struct kernel_registers *registers)
{
	if (is_about_ours(call, registers) || waits_leaves_locks(call, registers))
		return true;
	switch (call->action) {
	case CALL_RETIRE:
	case CALL_LEAVE:
		return true;
	case CALL_MADVISE:
		return advises_region(registers);
	case CALL_CLONE: /* in a new PID namespace the child would know the threads by other IDs */
		return (birth_flags(registers) & CLONE_NEWPID) != 0;
	case CALL_SIGNAL_WAIT: /* the kernel cannot keep managed signals pending for the program */
		return waits_for_managed(registers);
	case CALL_OPEN: /* the file may show handlers and hidden pages */
		return (is_lazy(&resident_pager) || resident_guard.stays) &&
		       proc_file_is_named(registers);
	case CALL_LIMITS: /* PROT_NONE memory does not count as data; revealing it makes it data */
		return sets_limit_of_data(registers);
	case CALL_PRCTL: /* filters would apply to the loader's calls; text could not become
			    executable */
		switch ((int)call_argument(registers, 0)) {
		case KERNEL_PR_SET_SECCOMP:
		case KERNEL_PR_SET_MDWE:
		case KERNEL_PR_SET_SYSCALL_USER_DISPATCH:
			return true;
		default:
			return call_is_refused_request((int)call_argument(registers, 0));
		}
	default: /* the data of an unknown device request may hold addresses of hidden pages */
		return moves_to_region(registers) || maps_what_grows(registers) ||
		       (call_number(registers) == SYS_ioctl &&
			arguments_of(call_argument(registers, 1)) == ARGUMENT_V);
	}
}

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
 * Counts the call, and decides whether the thread leaves lazy paging. A thread that leaves waits
 * for all other threads, and makes calls in which they wait start again; such a wait can take the
 * program's whole run. So lazy paging ends before a call that may wait, except with
 * `--retire=never`.
 *
 * All threads leave before a thread sends another thread a managed signal: the kernel keeps one
 * signal of each number, and would drop this one if a fault had raised the same. They also leave
 * before a signal that the sender has blocked. They leave before execve, because a thread inside
 * execve cannot be asked to leave.
 */
static bool should_hand_over(struct pager *pager, const struct thread *thread,
			     const struct system_call *call, const struct kernel_context *context,
			     bool waits)
{
	const struct kernel_registers *registers = &context->registers;
	uint64_t calls = count_call(pager, call_number(registers));
	bool sends =
	    call->action == CALL_SEND && (waits_sends_blocked(thread, context) ||
					  (waits && waits_sends_to_thread(thread, registers)));
	bool ends = sends || (call->action == CALL_EXEC && waits) || ends_laziness(call, registers);

	if (is_lazy(pager) && over_limit(pager, calls))
		laziness_end(pager, RETIRE_CALLS, 0);
	if (is_lazy(pager) && (ends || (waits && resident_guard.limit != GUARD_NEVER)))
		laziness_end(pager, RETIRE_CALL, (long)call_number(registers));
	if (is_lazy(pager))
		return false;
	/*
	 * Without a guard /proc/self/exe would be the loader's file, and an INT3 would kill the
	 * program. So the thread leaves only before calls that cannot be made under a guard.
	 */
	if (resident_guard.names_executable || order_is_active())
		return (ends && (sends || call->action == CALL_LEAVE ||
				 call->action == CALL_PRCTL || call->action == CALL_SIGNAL_WAIT)) ||
		       order_is_changed(registers);
	return ends || !resident_guard.stays;
}

/*
 * For --trace: writes the result of the thread's last call, which the gadget does not report, and
 * then the call that the thread is about to make.
 */
static void trace_next_call(struct thread *thread, const struct kernel_registers *registers)
{
	if (__builtin_expect(resident_trace == NULL, 1))
		return;
	if (thread->traced)
		trace(TRACE_RESULT, (int)thread->traced_call, thread->result, 0, 0);
	trace_call(registers, thread->call_pages);
	/* After a handler's return the result register holds a value of the program's. */
	thread->traced = call_number(registers) != SYS_rt_sigreturn;
	thread->traced_call = call_number(registers);
}

static void make_call(struct thread *thread, struct kernel_context *context,
		      const struct system_call *call)
{
	struct kernel_registers *registers = &context->registers;

	switch (call->action) {
	case CALL_SIGNALS:
		call_set_result(registers, signal_call(thread, context));
		break;
	case CALL_SIGRETURN:
		handlers_return(thread, context);
		break;
	case CALL_CLONE:
		call_set_result(registers, processes_clone(thread, context));
		break;
	case CALL_EXEC:
		call_set_result(registers, exec_make(thread, context));
		break;
	case CALL_EXIT:
		leave_by_exit(thread, call_argument(registers, 0));
	case CALL_TEMPORARY_MASK:
		masked_call_make(thread, context);
		break;
	case CALL_KEYS:
		gadget_has_keys = frame_has_keys(context);
		__attribute__((fallthrough));
	default:
		gadget_enter(thread, context);
	}
}

void guard_leave(struct thread *thread, struct kernel_context *context, enum leaving_turn turn)
{
	laziness_end(&resident_pager, RETIRE_CALL, (long)call_number(&context->registers));
	leave(thread, context, turn);
	call_back_up(&context->registers);
}

void guard_call(struct thread *thread, struct kernel_context *context)
{
	struct system_call call = system_call_of(call_number(&context->registers));
	struct pager *pager = &resident_pager;
	bool waits = state_others_are_lazy(thread) && waits_may_wait(&call, &context->registers);

	thread->has_temporary_mask = false;
	thread->call_pages = 0;
	if (should_hand_over(pager, thread, &call, context, waits)) {
		if (call_number(&context->registers) == SYS_ptrace)
			tracees_leave(thread, &context->registers);
		guard_leave(thread, context, waits_turn(&call, &context->registers));
		return;
	}
	arguments_reveal(call, &context->registers);
	if (is_lazy(pager) || !resident_guard.stays)
		trace_next_call(thread, &context->registers);
	call_leave_traces(&context->registers);
	if (!order_makes(&context->registers) &&
	    (!resident_guard.names_executable || !executable_call(thread, context)))
		make_call(thread, context, &call);
	if (gadget_place(registers_place(&context->registers)) != PLACE_CALL) {
		thread->saved = context->registers;
		thread->result = (uint64_t)call_result(&context->registers);
	}
	if (pager->verify)
		verify_pages(pager);
}
