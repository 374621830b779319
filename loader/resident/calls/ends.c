/* What must end before a system call: the conditions of actions.def. */
#include "loader/resident/calls/ends.h"

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
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
static bool begins_with_ours(const struct system_call *kind, const struct call *call)
{
	return kind->a == ARGUMENT_V && kind->action != CALL_SIGRETURN &&
	       is_ours(call->arguments[0]);
}

static bool closes_ours(const struct call *call)
{
	unsigned ours = (unsigned)userfaultfd_descriptor;

	return userfaultfd_descriptor >= 0 && (unsigned)call->arguments[0] <= ours &&
	       ours <= (unsigned)call->arguments[1];
}

/* The kernel cannot keep managed signals pending for the program. */
static bool waits_for_managed(const struct call *call)
{
	bool is_timed = call->number == SYS_rt_sigtimedwait;
	uint64_t set, address = call->arguments[is_timed ? 0 : 1];

	return gadget_copy(&set, (const void *)address, sizeof(set)) == 0 &&
	       (set & MANAGED_SIGNALS) != 0;
}

/* PROT_NONE memory does not count as data; revealing it makes it data. */
static bool sets_limit_of_data(const struct call *call)
{
	bool is_setrlimit = call->number == SYS_setrlimit;
	uint64_t resource = call->arguments[is_setrlimit ? 0 : 1];

	return ((unsigned)resource == RLIMIT_DATA || (unsigned)resource == RLIMIT_AS) &&
	       (is_setrlimit || call->arguments[2] != 0);
}

/* Whether madvise installs guard markers, or makes pages missing again (userfaultfd). */
static bool advises_region(const struct call *call)
{
	bool marks = (int)call->arguments[2] == KERNEL_MADV_GUARD_INSTALL;

	resident_guard.program_marks |= marks;
	return (marks || userfaultfd_descriptor >= 0) &&
	       pages_overlap(&resident_pager, call->arguments[0], call->arguments[1]);
}

/*
 * Whether mremap moves pages to a region: guard markers move with the pages. It would invalidate
 * the records of the engine userfaultfd anyway.
 */
static bool moves_pages(const struct call *call)
{
	return userfaultfd_descriptor >= 0 ||
	       (resident_guard.program_marks && (call->arguments[3] & MREMAP_FIXED) != 0 &&
		pages_overlap(&resident_pager, call->arguments[4], call->arguments[2]));
}

/* Whether a mapping grows down. The kernel keeps no gap to PROT_NONE pages below it. */
static bool maps_what_grows(const struct call *call)
{
	return (call->arguments[3] & MAP_GROWSDOWN) != 0;
}

/* The data of an unknown device request may hold addresses of hidden pages. */
static bool has_unknown_data(const struct call *call)
{
	return arguments_of(call->arguments[1]) == ARGUMENT_V;
}

/* In a new PID namespace the child would know the threads by other IDs. */
static bool starts_namespace(const struct call *call)
{
	return (birth_flags(call) & CLONE_NEWPID) != 0;
}

/* Asked only where the answer counts: it takes system calls. */
static bool opens_proc_file(const struct call *call)
{
	enum guard_mode mode = guard_mode();

	return (mode == MODE_LAZY || mode == MODE_REPORTS) && proc_file_is_named(call);
}

/* Filters would apply to the loader's calls; text could not become executable. */
static bool controls_guard(const struct call *call)
{
	int request = (int)call->arguments[0];

	return request == KERNEL_PR_SET_SECCOMP || request == KERNEL_PR_SET_MDWE ||
	       request == KERNEL_PR_SET_SYSCALL_USER_DISPATCH || call_is_refused_request(request);
}

static bool sends_what_waits(const struct thread *thread, const struct call *call, uint64_t mask,
			     bool waits)
{
	return waits_sends_blocked(thread, call, mask) ||
	       (waits && waits_sends_to_thread(thread, call));
}

enum ends ends_before(const struct thread *thread, const struct system_call *kind,
		      const struct call *call, uint64_t mask, bool waits)
{
	switch ((enum call_action)kind->action) {
#define ACTION(name, may_wait, condition, what)                                                    \
	case CALL_##name:                                                                          \
		if (condition)                                                                     \
			return ENDS_##what;                                                        \
		break;
#include "loader/resident/calls/actions.def"
	}
	return begins_with_ours(kind, call) ? ENDS_LAZINESS : ENDS_NOTHING;
}
