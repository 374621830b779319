/* What must end before a system call: the conditions of actions.def. */
#include "loader/resident/calls/ends.h"

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "loader/resident/arch/frame.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/arguments.h"
#include "loader/resident/calls/birth.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/calls/proc_files.h"
#include "loader/resident/calls/waits.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/pager/rewrite.h"
#include "loader/resident/signals/signal_calls.h"

#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

/*
 * Intercepting a call costs some 3 us; bringing in a page lazily costs some 5 us. A program that
 * makes many more calls than it touches new pages is faster without either.
 */
#define AUTO_CALLS 64

/* Whether a call names the descriptor of the engine userfaultfd. */
static bool names_userfaultfd(const struct system_call *kind, const struct call *call)
{
	const enum argument kinds[] = {kind->a, kind->b, kind->c, kind->d, kind->e, kind->f};

	for (unsigned i = 0; userfaultfd_descriptor >= 0 && i < sizeof(kinds) / sizeof(kinds[0]);
	     i++)
		if (kinds[i] == ARGUMENT_F && (int)call->arguments[i] == userfaultfd_descriptor)
			return true;
	return false;
}

static bool closes_userfaultfd(const struct call *call)
{
	unsigned first = (unsigned)call->arguments[0], last = (unsigned)call->arguments[1];

	return userfaultfd_descriptor >= 0 && first <= (unsigned)userfaultfd_descriptor &&
	       (unsigned)userfaultfd_descriptor <= last;
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

/* The kernel's SYNCHRONOUS_MASK: what it delivers before other signals, if si_code is above 0. */
#define SYNCHRONOUS_SIGNALS (EXCEPTION_SIGNALS | KERNEL_SIGNAL_BIT(SIGSYS))

/* Whether a call lets the sender claim that the kernel raised the signal, and names a thread. */
static bool sends_exceptions(uint64_t call)
{
	return call == SYS_rt_tgsigqueueinfo || call == SYS_pidfd_send_signal;
}

/*
 * Whether a call sends a managed signal that the caller has blocked. Lazy paging would have to end
 * where the signal arrives. A siginfo does not show which of the kernel's two queues the signal
 * came from, the thread's or the process's.
 *
 * Also true if the call sends an exception's signal or SIGSYS to a thread, with a code that may be
 * the kernel's. The kernel delivers such a signal although it is blocked, as soon as the signal of
 * another exception is pending. That of a system call is enough (dequeue_synchronous_signal).
 */
static bool sends_blocked(const struct thread *thread, const struct call *call, uint64_t mask)
{
	uint64_t blocked = thread->blocked;

	if (sends_exceptions(call->number))
		blocked |= mask & SYNCHRONOUS_SIGNALS;
	return (waits_sent(call) & blocked) != 0;
}

/* Whether a call sends a managed signal to a thread (not to a process) other than the caller. */
static bool sends_to_thread(const struct thread *thread, const struct call *call)
{
	bool to_process = call->number == SYS_kill || call->number == SYS_rt_sigqueueinfo;
	uint64_t receiver = call->arguments[call->number == SYS_tkill ? 0 : 1];

	if ((waits_sent(call) & MANAGED_SIGNALS) == 0 || to_process)
		return false;
	/* A pidfd may refer to a thread, and does not show which. */
	return call->number == SYS_pidfd_send_signal || (int)receiver != thread->id;
}

/*
 * Whether the caller may hold robust locks (get_robust_list(2)). A thread may hold one if its list
 * is not empty, or if a lock is being added to the list. When the thread or its program ends, the
 * kernel walks that list itself to wake the waiters, and stops at the first hidden word.
 */
static bool leaves_locks(void)
{
	struct kernel_robust_list *place = NULL, list;
	uint64_t length;

	return raw_syscall3(SYS_get_robust_list, 0, (uint64_t)&place, (uint64_t)&length) == 0 &&
	       place != NULL && gadget_copy(&list, place, sizeof(list)) == 0 &&
	       (list.next != place || list.pending != NULL);
}

/*
 * Whether a child shares memory, and leaves lazy paging on its own. It could not have its
 * instructions back alone (rewrite.h).
 */
static bool shares_only_memory(const struct call *call)
{
	return (birth_flags(call) & (CLONE_VM | CLONE_SIGHAND)) == CLONE_VM;
}

/* What must end before a call. Dispatch ends only after lazy paging. */
enum ends { ENDS_NOTHING, ENDS_LAZINESS, ENDS_DISPATCH };

static enum ends ends_before(const struct thread *thread, const struct system_call *kind,
			     const struct call *call, uint64_t mask, bool waits)
{
	enum ends least = names_userfaultfd(kind, call) ? ENDS_LAZINESS : ENDS_NOTHING;

	if ((REWRITES && rewrite_ends_before(call)) || (order_is_active() && order_changes(call)))
		return ENDS_DISPATCH;
	switch ((enum call_action)kind->action) {
#define ACTION(name, may_wait, ends_laziness, ends_dispatch)                                       \
	case CALL_##name:                                                                          \
		return (ends_dispatch) ? ENDS_DISPATCH : (ends_laziness) ? ENDS_LAZINESS : least;
#include "loader/resident/calls/actions.def"
	}
	return least;
}

static bool over_limit(uint64_t calls)
{
	const struct pager *pager = &resident_pager;

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
static uint64_t count_call(uint64_t number)
{
	struct pager *pager = &resident_pager;
	uint64_t place = number < COUNTED_CALLS ? number : COUNTED_CALLS;

	if (pager->calls != NULL)
		__atomic_add_fetch(&pager->calls[place], 1, __ATOMIC_RELAXED);
	return __atomic_add_fetch(&pager->statistics.calls, 1, __ATOMIC_RELAXED);
}

/* Whether the caller leaves before a call, in the mode that follows the end of lazy paging. */
static bool must_leave(enum ends ends)
{
	switch (guard_mode_at_rest()) {
	case MODE_ANSWERS:
		return ends == ENDS_DISPATCH;
	case MODE_REPORTS:
		return ends != ENDS_NOTHING;
	default:
		return true;
	}
}

/*
 * A thread that leaves waits for all other threads, and calls in which they wait start again. Such
 * a wait can be as long as the program's run. So lazy paging ends before a call that may wait,
 * except with `--retire=never`.
 *
 * All threads leave before a thread sends another thread a managed signal. The kernel keeps one
 * signal of each number, and would drop this one if that of a fault were pending. They also leave
 * before a signal that the sender has blocked. They leave before execve, because a thread inside
 * execve cannot be asked to leave.
 */
bool ends_must_leave(const struct thread *thread, const struct system_call *kind,
		     const struct call *call, uint64_t mask, bool waits)
{
	bool is_over = over_limit(count_call(call->number));
	enum ends ends = ends_before(thread, kind, call, mask, waits);
	bool leaves;

	if (guard_mode() == MODE_LAZY && is_over)
		laziness_end(RETIRE_CALLS, 0);
	if (guard_mode() == MODE_LAZY && ends == ENDS_NOTHING &&
	    (!waits || resident_guard.limit == GUARD_NEVER))
		return false;
	leaves = must_leave(ends);
	if (leaves || guard_mode() == MODE_LAZY)
		laziness_end(RETIRE_CALL, (long)call->number);
	return leaves;
}
