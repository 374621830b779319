/*
 * A stopped process receives no notifications. So while the loader is stopped, a third process
 * checks whether the program has been continued, and then continues the loader.
 */
#include "loader/watch/supervise.h"

#include "common/arch/syscall.h"
#include "common/descriptor.h"
#include "common/kernel_abi.h"
#include "loader/resident/signals/kernel_signals.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_BYTES	   4096
#define MOMENT_NANOSECONDS (10 * 1000 * 1000)

/* Data of the waker, in the loader's memory, which it shares. */
struct waker {
	pid_t loader;
	pid_t program;
	int state; /* /proc/PID/stat of the program */
};

/* The letter of "PID (NAME) STATE ..." (proc_pid_stat(5)). 'X': the process is gone. */
static char state_of(const struct waker *waker)
{
	char text[128] = "";
	long length = raw_syscall6(SYS_pread64, (uint64_t)waker->state, (uint64_t)text,
				   sizeof(text), 0, 0, 0);

	while (length > 0 && text[length - 1] != ')')
		length--;
	return length > 0 ? text[length + 1] : 'X';
}

/* T is stopped, t stopped by a tracer. */
static bool is_stopped(const struct waker *waker)
{
	char state = state_of(waker);

	return state == 'T' || state == 't';
}

/*
 * If the loader was killed before the pipe was closed here, the process that should kill the
 * program ended with the loader, ahead of the pipe.
 */
static void kill_program(const struct waker *waker)
{
	char state = state_of(waker);

	if (state != 'X' && state != 'Z')
		raw_syscall2(SYS_kill, (uint64_t)waker->program, SIGKILL);
}

/*
 * Runs until it or the loader is killed. The loader may be about to stop when it is continued, and
 * SIGSTOP cancels the SIGCONT. So it is continued again and again. Only system calls are made:
 * thread-local storage belongs to the loader.
 */
static int wake(void *context)
{
	static const struct timespec moment = {.tv_nsec = MOMENT_NANOSECONDS};
	const struct waker *waker = context;

	/* Closes the pipe whose end kills the program: only the loader may hold it open. */
	descriptors_keep_one(waker->state);
	while (raw_syscall0(SYS_getppid) == waker->loader) {
		if (!is_stopped(waker))
			raw_syscall2(SYS_kill, (uint64_t)waker->loader, SIGCONT);
		raw_syscall2(SYS_nanosleep, (uint64_t)&moment, 0);
	}
	kill_program(waker);
	return 0;
}

static int open_state(pid_t program)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)program);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Whether a SIGCONT has arrived that the waker has not sent. */
static bool was_continued(pid_t waker)
{
	static const struct timespec at_once = {0, 0};
	siginfo_t info;
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, SIGCONT);
	return sigtimedwait(&only, &info, &at_once) == SIGCONT && info.si_pid != waker;
}

/*
 * Stops this process by the signal that stopped the program: a shell distinguishes them. All
 * signals are blocked before and afterwards.
 */
static void stop_by(int number)
{
	static const struct kernel_sigaction standard = {.handler = KERNEL_SIG_DFL};

	kernel_action(number, &standard, NULL);
	raise(number);
	kernel_mask(SIG_UNBLOCK, KERNEL_SIGNAL_BIT(number));
	kernel_mask(SIG_BLOCK, KERNEL_SIGNAL_BIT(number));
}

void stop_with(pid_t program, int number)
{
	_Alignas(16) char stack[STACK_BYTES];
	struct waker waker = {.loader = getpid(), .program = program, .state = open_state(program)};
	pid_t process = -1;

	/* Without /proc the user who continues the program also has to continue the loader. */
	if (waker.state >= 0)
		process = clone(wake, stack + sizeof(stack), CLONE_VM, &waker);
	stop_by(number);
	if (process > 0) {
		kill(process, SIGKILL);
		raw_syscall6(SYS_wait4, (uint64_t)process, 0, KERNEL_WALL, 0, 0, 0);
	}
	if (waker.state >= 0)
		close(waker.state);
	if (was_continued(process))
		kill(program, SIGCONT);
}
