/* The program as the loader's child: signals, stops, and its end. */
#include "loader/watch/child.h"

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "common/output_file.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/watch/supervise.h"

#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

/* Every signal: a C library reserves some, which its own sets omit. */
static const uint64_t every_signal = UINT64_MAX;

/*
 * Ends with the program's status. A second core file would be the loader's, so none is written. A
 * program that succeeded must not hide that a file it was run for is missing.
 */
_Noreturn void child_end_like(int status)
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
	/* The init of a PID namespace gets here: the kernel ignored the signal. */
	_exit(128 + number);
}

/*
 * Whether a signal sent to the loader is meant for the program. Signals from the terminal, or from
 * the program itself, go to the whole process group, so the program has received them already.
 * SIGPIPE and SIGXFSZ come from the loader itself, when the reader of the story is gone or the
 * trace is too long. Any other signal of its own has been pending since before its start.
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

/* Passes a signal on, with its siginfo if the kernel permits that. */
static void pass_on(pid_t child, const siginfo_t *info)
{
	if (info->si_code == SI_USER || raw_syscall3(SYS_rt_sigqueueinfo, (uint64_t)child,
						     (uint64_t)info->si_signo, (uint64_t)info) != 0)
		kill(child, info->si_signo);
}

bool child_is_over(pid_t child, int *status, struct rusage *usage)
{
	while (wait4(child, status, WNOHANG | WUNTRACED, usage) == child) {
		if (!WIFSTOPPED(*status))
			return true;
		trace_read_stops(true);
		stop_with(child, WSTOPSIG(*status));
		trace_read_stops(false);
	}
	return false;
}

int child_next_signal(pid_t child, const struct timespec *patience)
{
	siginfo_t info;
	int number =
	    (int)raw_syscall6(SYS_rt_sigtimedwait, (uint64_t)&every_signal, (uint64_t)&info,
			      (uint64_t)patience, KERNEL_SIGSET_SIZE, 0, 0);

	if (number > 0 && is_for_program(&info, child))
		pass_on(child, &info);
	return number;
}
