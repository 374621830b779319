/* Watching the program: the loader waits for it on a stack of its own. */
#include "loader/watch/watch.h"

#include "common/arch/x86_64/syscall.h"
#include "common/kernel_abi.h"
#include "common/memory_map.h"
#include "common/report.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/watch/supervise.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The loader waits on a stack of this size: its old stack belongs to the program now. */
#define WAITING_STACK_BYTES (128 * 1024)

/*
 * What the waiting loader works with, in memory of its own: the old stack is the program's. Static,
 * since host_call_on_stack() hands over nothing.
 */
static struct {
	struct guest *guest; /* a copy */
	char *stack;
	supervise_end *report;
} waiting;

/* Every signal that there is: a C library keeps some for itself, which its sets leave out. */
static const uint64_t every_signal = UINT64_MAX;

/*
 * Ends as the program did. A second core file would be the loader's, so there is none. A program
 * that succeeded does not hide that one of the files it was run for is missing.
 */
static _Noreturn void end_like(int status)
{
	static const struct kernel_sigaction standard = {.handler = KERNEL_SIG_DFL};
	struct rlimit no_core = {0, 0};
	int number = WTERMSIG(status);

	if (status == 0 && output_file_missed())
		_exit(EXIT_OURS);
	if (WIFEXITED(status))
		_exit(WEXITSTATUS(status));
	setrlimit(RLIMIT_CORE, &no_core);
	kernel_action(number, &standard, NULL);
	kill(getpid(), number);
	kernel_mask(SIG_UNBLOCK, KERNEL_SIGNAL_BIT(number));
	/* The init of a PID namespace is still here: the kernel ignored the signal. */
	_exit(128 + number);
}

/* Waits for the next signal. Where a trace is read, the loader reads it meanwhile. */
static int next_signal(siginfo_t *info)
{
	const struct timespec *patience = trace_read_some();

	return (int)raw_syscall6(SYS_rt_sigtimedwait, (uint64_t)&every_signal, (uint64_t)info,
				 (uint64_t)patience, KERNEL_SIGSET_SIZE, 0, 0);
}

/*
 * Whether a signal that was sent to the loader is meant for the program. Signals that the terminal
 * or the program itself sends go to the whole process group, so the program has got them already.
 * From the loader itself come SIGPIPE and SIGXFSZ, when nobody reads the story any more or the
 * trace has become too long; another signal of its own has been pending since before its start.
 */
static bool is_for_program(const siginfo_t *info, pid_t child)
{
	if (info->si_code > 0)
		return false;
	if (info->si_code != SI_USER)
		return true;
	return info->si_pid == getpid() ? info->si_signo != SIGPIPE && info->si_signo != SIGXFSZ
					: info->si_pid != child;
}

/* Passes a signal on, with what came with it where that is permitted. */
static void pass_on(pid_t child, const siginfo_t *info)
{
	if (info->si_code == SI_USER || raw_syscall3(SYS_rt_sigqueueinfo, (uint64_t)child,
						     (uint64_t)info->si_signo, (uint64_t)info) != 0)
		kill(child, info->si_signo);
}

/* Waits for the program's end. */
static int wait_for(pid_t child, struct rusage *usage)
{
	int status;

	for (;;) {
		siginfo_t info;
		int number = next_signal(&info);

		if (number > 0 && is_for_program(&info, child))
			pass_on(child, &info);
		if (number != SIGCHLD)
			continue;
		while (wait4(child, &status, WNOHANG | WUNTRACED, usage) == child) {
			if (!WIFSTOPPED(status))
				return status;
			trace_read_stops(true);
			stop_with(child);
			trace_read_stops(false);
		}
	}
}

/* Takes the timers for the program: exec keeps timers that are set, and a child begins with none.
 */
static void take_timers(struct launch_watched *watched)
{
	static const struct itimerval none;

	for (int which = 0; which < TIMERS; which++)
		raw_syscall3(SYS_setitimer, (uint64_t)which, (uint64_t)&none,
			     (uint64_t)&watched->timers[which]);
}

static void run(void)
{
	struct rusage usage;
	long child;
	int status;

	trace_begin();
	child = host_clone_and_depart();
	if (child < 0) {
		struct error error;

		error_set(&error, EXIT_OURS,
			  "there is no process for it, beside the one that watches: %s; raise the "
			  "limit of processes (ulimit -u)",
			  strerror((int)-child));
		_exit(report_error(&error));
	}
	/* If stdout is a pipe, its reader waits until every process has closed it, the loader too.
	 */
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	program_file_close(&waiting.guest->objects[PROGRAM].file);
	trace_read_begin(waiting.guest, (int)child);
	status = wait_for((pid_t)child, &usage);
	trace_read_end(status);
	waiting.report(waiting.guest, &usage, status);
	end_like(status);
}

bool supervise_prepare(struct error *error)
{
	waiting.stack = memory_map(WAITING_STACK_BYTES, MAP_STACK);
	waiting.guest = malloc(sizeof(*waiting.guest));
	return (waiting.stack != NULL && waiting.guest != NULL) ||
	       error_no_memory(error, "to watch the program");
}

_Noreturn void supervise(const struct guest *guest, struct launch_watched *watched,
			 supervise_end *report)
{
	static const struct kernel_sigaction wait_for_children = {.handler = KERNEL_SIG_DFL};

	/* A child of a process that ignores SIGCHLD would vanish unwaited for. The program itself
	   gets back what was there. */
	kernel_action(SIGCHLD, &wait_for_children, &watched->sigchld);
	take_timers(watched);
	watched->is_child = true;
	watched->loader = getpid();
	watched->outputs[0] = guest->statistics.descriptor;
	watched->outputs[1] = guest->trace.descriptor;
	watched->outputs[2] = guest->record.descriptor;
	watched->outputs[3] = guest->layout.descriptor;
	*waiting.guest = *guest;
	waiting.report = report;
	kernel_mask(SIG_BLOCK, every_signal);
	host_call_on_stack(run, waiting.stack + WAITING_STACK_BYTES);
}
