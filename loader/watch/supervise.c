#include "loader/watch/supervise.h"

#include "loader/watch/host_switch.h"
#include "common/arch/x86_64/syscall.h"
#include "common/kernel_abi.h"
#include "common/report.h"
#include "loader/resident/arch/offsets.h"
#include "loader/profile/record.h"
#include "loader/watch/layout_write.h"
#include "loader/watch/statistics.h"
#include "loader/watch/trace_reader.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The loader waits on a stack of this size: its old stack belongs to the program now. */
#define WAITING_STACK_BYTES (128 * 1024)

_Static_assert(WATCHED_CHILD == (CLONE_VM | SIGCHLD), "offsets.h");

/* Copies in memory of their own, made before the commit point: `guest` was on the old stack. */
static struct guest *the_guest;
static char *waiting_stack;

/* Ends as the program did. A second core file would be the loader's, so there is none. */
static _Noreturn void end_like(int status)
{
	struct rlimit no_core = {0, 0};
	int number = WTERMSIG(status);
	sigset_t only;

	if (WIFEXITED(status))
		_exit(WEXITSTATUS(status));
	setrlimit(RLIMIT_CORE, &no_core);
	signal(number, SIG_DFL);
	kill(getpid(), number);
	sigemptyset(&only);
	sigaddset(&only, number);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	_exit(128 + number);
}

/*
 * Stops when the program has been stopped, so that a shell's job control sees one job. The SIGCONT
 * that ends this is passed on once.
 */
static void stop_with(pid_t child)
{
	static const struct timespec at_once = {0, 0};
	sigset_t only;

	raise(SIGSTOP);
	sigemptyset(&only);
	sigaddset(&only, SIGCONT);
	sigtimedwait(&only, NULL, &at_once);
	kill(child, SIGCONT);
}

/* The next signal. Where a trace is read, that is done meanwhile. */
static int next_signal(siginfo_t *info)
{
	struct timespec patience;
	sigset_t all;

	sigfillset(&all);
	if (!trace_is_read())
		return sigwaitinfo(&all, info);
	patience = trace_read_some();
	return sigtimedwait(&all, info, &patience);
}

/*
 * Whether a signal that was sent to the loader is meant for the program. Those that the terminal
 * sends go to the whole process group, so it has got them already; from ourselves come SIGPIPE and
 * SIGXFSZ, when nobody reads the story any more or the trace has become too long.
 */
static bool is_for_program(const siginfo_t *info)
{
	return info->si_signo != SIGCHLD && info->si_code <= 0 &&
	       !(info->si_code == SI_USER && info->si_pid == getpid());
}

/* Waits for the program's end. */
static int wait_for(pid_t child, struct rusage *usage)
{
	int status;

	for (;;) {
		siginfo_t info;
		int number = next_signal(&info);

		if (number > 0 && is_for_program(&info))
			kill(child, number);
		if (number != SIGCHLD)
			continue;
		while (wait4(child, &status, WNOHANG | WUNTRACED, usage) == child) {
			if (!WIFSTOPPED(status))
				return status;
			stop_with(child);
		}
	}
}

static void run(void)
{
	struct rusage usage;
	struct statistics statistics;
	long child;
	int status;

	trace_begin();
	child = host_clone_and_depart();
	if (child < 0) {
		struct error error;

		error_set(&error, EXIT_OURS, "cannot be started: %s", strerror((int)-child));
		_exit(report_error(&error));
	}
	/* If stdout is a pipe, its reader waits until every process has closed it, this one too. */
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(the_guest->objects[PROGRAM].file.descriptor);
	trace_read_begin(the_guest, (int)child);
	status = wait_for((pid_t)child, &usage);
	trace_read_end(status);
	if (the_guest->options.record != NULL)
		record_write(the_guest);
	if (the_guest->options.statistics) {
		statistics_gather(the_guest, &usage, status, &statistics);
		statistics_report(the_guest, &statistics);
	}
	if (the_guest->options.layout != NULL)
		layout_write(the_guest);
	end_like(status);
}

bool supervise_prepare(struct error *error)
{
	void *stack = mmap(NULL, WAITING_STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	the_guest = malloc(sizeof(*the_guest));
	if (stack == MAP_FAILED || the_guest == NULL)
		return error_no_memory(error, "to watch the program");
	waiting_stack = stack;
	return true;
}

_Noreturn void supervise(const struct guest *guest, struct launch_watched *watched)
{
	struct kernel_sigaction wait_for_children = {.handler = KERNEL_SIG_DFL};
	sigset_t all;

	/* A child of a process that ignores SIGCHLD would vanish unwaited for. The program itself
	   gets back what was there. */
	raw_syscall6(SYS_rt_sigaction, SIGCHLD, (uint64_t)&wait_for_children,
		     (uint64_t)&watched->sigchld, KERNEL_SIGSET_SIZE, 0, 0);
	watched->is_child = true;
	watched->loader = getpid();
	watched->outputs[0] = guest->statistics.descriptor;
	watched->outputs[1] = guest->trace.descriptor;
	watched->outputs[2] = guest->record.descriptor;
	watched->outputs[3] = guest->layout.descriptor;
	*the_guest = *guest;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	host_call_on_stack(run, waiting_stack + WAITING_STACK_BYTES);
}
