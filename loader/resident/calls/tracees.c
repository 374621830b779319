/*
 * Before a program traces its children, the children leave lazy paging: a tracer would see the
 * loader's signals.
 *
 * A signal alone cannot ask another process: that process may just be starting another program by
 * execve, which a SIGSEGV would kill. So a helper thread of the loader traces the child, from
 * system call to system call. It asks the child at a stop where the child can be asked.
 *
 * The last of these stops is the child's return from the loader's handler, where no code of the
 * program has run yet. A child that was stopped by a signal is stopped again, at the same
 * instruction, when it is detached. When the helper thread ends, the child is detached in any case.
 *
 * The helper is a thread, not a process. Where a module such as Yama permits tracing to ancestors
 * only, a thread may trace what its process may (ptrace(2)).
 */
#include "loader/resident/calls/tracees.h"

#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "common/kernel_text.h"
#include "loader/resident/arch/entry.h"
#include "loader/resident/arch/tracee.h"
#include "loader/resident/leaving/leave.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/threads/gadget_call.h"
#include "loader/resident/threads/shared.h"
#include "loader/resident/threads/states.h"

#include <sched.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

/*
 * The caller looks at a child at most this often; with the sleep between two looks, half a second.
 */
#define LOOKS_MAX      5000
#define STOP_LOOKS_MAX 1000

static const struct timespec between = {.tv_nsec = 50 * 1000};

/* The status of a system-call stop, with PTRACE_O_TRACESYSGOOD. */
#define CALL_STOP (SIGTRAP | 0x80)

/* The helper runs on the caller's stack, so CLONE_VFORK makes the caller wait. */
#define TRACER_THREAD                                                                              \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |        \
	 CLONE_VFORK | CLONE_UNTRACED)

static long trace_child(long request, int32_t id, uint64_t address, uint64_t data)
{
	return raw_syscall6(SYS_ptrace, (uint64_t)request, (uint64_t)id, address, data, 0, 0);
}

/*
 * process_vm_readv or process_vm_writev between `ours` and `theirs`, the same object in the child.
 */
static bool transfer(long call, int32_t id, void *ours, const void *theirs, uint64_t length)
{
	struct iovec local = {ours, length}, remote = {(void *)theirs, length};

	return raw_syscall6(call, (uint64_t)id, (uint64_t)&local, 1, (uint64_t)&remote, 1, 0) ==
	       (long)length;
}

/*
 * The state of the child's copy of a process. NATIVE if the child has no such copy, because it runs
 * another program or its memory cannot be read.
 */
static uint32_t state_of(const struct process *process, int32_t id)
{
	uint64_t start = 0;
	uint32_t state;

	if (!transfer(SYS_process_vm_readv, id, &start, &resident_threads.chunks[0].start,
		      sizeof(start)) ||
	    start != resident_threads.chunks[0].start ||
	    !transfer(SYS_process_vm_readv, id, &state, &process->state, sizeof(state)))
		return PROCESS_NATIVE;
	return state;
}

/* A blocked SIGSEGV would stay pending; one that arrives in execve would kill the child. */
static bool can_be_asked(int32_t id, enum place place)
{
	uint64_t blocked = 0;

	return trace_child(PTRACE_GETSIGMASK, id, sizeof(blocked), (uint64_t)&blocked) == 0 &&
	       (blocked & KERNEL_SIGNAL_BIT(SIGSEGV)) == 0 && place != PLACE_EXEC &&
	       place != PLACE_EXECVE;
}

/*
 * At a stop of the child: asks the child to leave, if it can be asked and has not been. Returns
 * whether the child has left, or will not leave because it runs another program.
 */
static bool has_left(struct process *process, int32_t id)
{
	uint32_t state = state_of(process, id), leaving = PROCESS_LEAVING;
	enum place place = gadget_place(tracee_place(id));

	if (state == PROCESS_NATIVE)
		return place == PLACE_PROGRAM;
	if (state == PROCESS_LAZY && can_be_asked(id, place) &&
	    transfer(SYS_process_vm_writev, id, &leaving, &process->state, sizeof(leaving)))
		leave_ask(id, id);
	return false;
}

/* The signal that a stopped child is about to receive. */
static uint64_t signal_of(const siginfo_t *stop)
{
	bool is_event = stop->si_status > 0xff || stop->si_status == CALL_STOP;

	return is_event ? 0 : (uint64_t)stop->si_status;
}

/*
 * Waits for the child's next stop or its end. WNOWAIT keeps the status for the program's own wait.
 */
static bool wait_for_stop(int32_t id, siginfo_t *stop, unsigned *looks)
{
	for (stop->si_pid = 0; *looks < LOOKS_MAX; ++*looks) {
		if (raw_syscall6(SYS_waitid, P_PID, (uint64_t)id, (uint64_t)stop,
				 WSTOPPED | WEXITED | WNOHANG | WNOWAIT | KERNEL_WALL, 0, 0) != 0)
			return false;
		if (stop->si_pid != 0)
			return stop->si_code == CLD_TRAPPED;
		raw_syscall2(SYS_nanosleep, (uint64_t)&between, 0);
	}
	return false;
}

/*
 * Whether a stop is one of the whole process by a signal, as reported to a tracer that used
 * PTRACE_SEIZE.
 */
static bool is_group_stop(const siginfo_t *stop)
{
	return stop->si_status >> 8 == PTRACE_EVENT_STOP && (stop->si_status & 0xff) != SIGTRAP;
}

/* Reads "PID (NAME) STATE ...": T means stopped (proc_pid_stat(5)). */
static bool is_stopped(int32_t id)
{
	char path[32] = {0}, text[128];
	uint64_t end = bytes_append(path, 0, sizeof(path), "/proc/");
	long length;

	end = bytes_append_number(path, end, sizeof(path), (uint64_t)id);
	bytes_append(path, end, sizeof(path), "/stat");
	length = kernel_read(path, text, sizeof(text) - 2);
	while (length > 0 && text[length - 1] != ')')
		length--;
	return length > 0 && text[length + 1] == 'T';
}

/*
 * A child that was stopped by a signal stops again shortly after it has been detached. A tracer
 * that seized it before that would not be notified of the stop. SIGCONT may end the stop, so this
 * waits for 50 ms at most.
 */
static void wait_until_stopped(int32_t id)
{
	for (unsigned i = 0; i < STOP_LOOKS_MAX && !is_stopped(id); i++)
		raw_syscall2(SYS_nanosleep, (uint64_t)&between, 0);
}

static void see_off(struct process *process, int32_t id)
{
	bool is_to_stop = false;
	unsigned looks = 0;
	siginfo_t stop;

	if (trace_child(PTRACE_SEIZE, id, 0, PTRACE_O_TRACESYSGOOD) != 0)
		return;
	trace_child(PTRACE_INTERRUPT, id, 0, 0);
	while (wait_for_stop(id, &stop, &looks)) {
		is_to_stop |= is_group_stop(&stop);
		if (has_left(process, id)) {
			trace_child(PTRACE_DETACH, id, 0, signal_of(&stop));
			if (is_to_stop)
				wait_until_stopped(id);
			return;
		}
		trace_child(PTRACE_SYSCALL, id, 0, signal_of(&stop));
	}
}

/*
 * Whether a child shares this memory: then it has a block here. kcmp could answer this too, but
 * containers often deny it.
 */
static bool shares_memory(int32_t id)
{
	const struct thread *thread;

	for (uint64_t i = 0; (thread = threads_at(i)) != NULL; i++)
		if (shared_read(thread->id) == id && shared_read(thread->state) != THREAD_FREE &&
		    shared_read(thread->state) != THREAD_GONE)
			return true;
	return false;
}

/* The contents of /proc/thread-self/children: process IDs, each followed by a blank. */
struct children {
	struct process *process;
	long length;
	char ids[1024];
};

static _Noreturn void see_off_all(void *argument)
{
	const struct children *children = argument;
	int32_t id = 0;

	for (long i = 0; i < children->length; i++) {
		if (children->ids[i] != ' ') {
			id = id * 10 + children->ids[i] - '0';
			continue;
		}
		if (!shares_memory(id) && state_of(children->process, id) != PROCESS_NATIVE)
			see_off(children->process, id);
		id = 0;
	}
	for (;;)
		raw_syscall1(SYS_exit, 0);
}

void tracees_leave(const struct thread *thread)
{
	struct children children = {.process = thread->process};
	struct kernel_sigaction action, quiet;

	if (state_others_are_lazy(thread))
		return;
	children.length =
	    kernel_read("/proc/thread-self/children", children.ids, sizeof(children.ids));
	if (children.length <= 0 || kernel_action(SIGCHLD, NULL, &action) != 0)
		return;
	/* SA_NOCLDSTOP: the program must not be notified of the stops that the helper causes. */
	quiet = action;
	quiet.flags |= SA_NOCLDSTOP;
	kernel_action(SIGCHLD, &quiet, NULL);
	/*
	 * The helper thread starts with all signals blocked, so that it takes none of the process's
	 * signals.
	 */
	kernel_mask(SIG_BLOCK, FAULT_SIGNALS);
	entry_in_child(TRACER_THREAD, see_off_all, &children);
	kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
	kernel_action(SIGCHLD, &action, NULL);
}
