/* What must end before a system call: the conditions of actions.def. */
#include "loader/resident/calls/ends.h"

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/arguments.h"
#include "loader/resident/calls/birth.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/calls/proc_files.h"
#include "loader/resident/calls/waits.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/signals/signal_calls.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* Whether a descriptor is that of the engine userfaultfd. */
static bool is_ours(uint64_t descriptor)
{
	return userfaultfd_descriptor >= 0 && (int)descriptor == userfaultfd_descriptor;
}

/*
 * Whether the first argument, which is a descriptor in most calls, might be that descriptor. If it
 * only looks like it, the one cost is that lazy paging ends. A return from a handler has no
 * arguments.
 */
static bool begins_with_ours(const struct system_call *call,
			     const struct kernel_registers *registers)
{
	return call->a == ARGUMENT_V && call->action != CALL_SIGRETURN &&
	       is_ours(call_argument(registers, 0));
}

static bool closes_ours(const struct kernel_registers *registers)
{
	unsigned ours = (unsigned)userfaultfd_descriptor;

	return userfaultfd_descriptor >= 0 && (unsigned)call_argument(registers, 0) <= ours &&
	       ours <= (unsigned)call_argument(registers, 1);
}

/* The kernel cannot keep managed signals pending for the program. */
static bool waits_for_managed(const struct kernel_registers *registers)
{
	bool is_timed = call_number(registers) == SYS_rt_sigtimedwait;
	uint64_t set, address = call_argument(registers, is_timed ? 0 : 1);

	return gadget_copy(&set, (const void *)address, sizeof(set)) == 0 &&
	       (set & MANAGED_SIGNALS) != 0;
}

/* PROT_NONE memory does not count as data; revealing it makes it data. */
static bool sets_limit_of_data(const struct kernel_registers *registers)
{
	bool is_setrlimit = call_number(registers) == SYS_setrlimit;
	uint64_t resource = call_argument(registers, is_setrlimit ? 0 : 1);

	return ((unsigned)resource == RLIMIT_DATA || (unsigned)resource == RLIMIT_AS) &&
	       (is_setrlimit || call_argument(registers, 2) != 0);
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

/*
 * Whether mremap moves pages to a region: guard markers move with the pages. It would invalidate
 * the records of the engine userfaultfd anyway.
 */
static bool moves_pages(const struct kernel_registers *registers)
{
	return userfaultfd_descriptor >= 0 ||
	       (resident_guard.program_marks && (call_argument(registers, 3) & MREMAP_FIXED) != 0 &&
		pages_overlap(&resident_pager, call_argument(registers, 4),
			      call_argument(registers, 2)));
}

/* Whether a mapping grows down. The kernel keeps no gap to PROT_NONE pages below it. */
static bool maps_what_grows(const struct kernel_registers *registers)
{
	return (call_argument(registers, 3) & MAP_GROWSDOWN) != 0;
}

/* The data of an unknown device request may hold addresses of hidden pages. */
static bool has_unknown_data(const struct kernel_registers *registers)
{
	return arguments_of(call_argument(registers, 1)) == ARGUMENT_V;
}

/* In a new PID namespace the child would know the threads by other IDs. */
static bool starts_namespace(const struct kernel_registers *registers)
{
	return (birth_flags(registers) & CLONE_NEWPID) != 0;
}

/* Asked only where the answer counts: it takes system calls. */
static bool opens_proc_file(const struct kernel_registers *registers)
{
	enum guard_mode mode = guard_mode();

	return (mode == MODE_LAZY || mode == MODE_REPORTS) && proc_file_is_named(registers);
}

/* Filters would apply to the loader's calls; text could not become executable. */
static bool controls_guard(const struct kernel_registers *registers)
{
	int request = (int)call_argument(registers, 0);

	return request == KERNEL_PR_SET_SECCOMP || request == KERNEL_PR_SET_MDWE ||
	       request == KERNEL_PR_SET_SYSCALL_USER_DISPATCH || call_is_refused_request(request);
}

static bool sends_what_waits(const struct thread *thread, const struct kernel_context *context,
			     bool waits)
{
	return waits_sends_blocked(thread, context) ||
	       (waits && waits_sends_to_thread(thread, &context->registers));
}

enum ends ends_before(const struct system_call *call, const struct thread *thread,
		      const struct kernel_context *context, bool waits)
{
	const struct kernel_registers *registers = &context->registers;

	switch ((enum call_action)call->action) {
#define ACTION(name, may_wait, condition, what)                                                    \
	case CALL_##name:                                                                          \
		if (condition)                                                                     \
			return ENDS_##what;                                                        \
		break;
#include "loader/resident/calls/actions.def"
	}
	return begins_with_ours(call, registers) ? ENDS_LAZINESS : ENDS_NOTHING;
}
