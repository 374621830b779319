/*
 * signal_queues NUMBER WAY: a signal of faults and SIGHUP are blocked and then unblocked together.
 * They arrive in the order of the kernel's queues: first the thread's, then the process's. WAY is
 * the queue that the first one is sent to: "thread" or "process".
 *
 * No mark: a signal of faults that has to wait ends lazy paging.
 */
#include "guest.h"

static volatile char untouched[240 * 4096];

static void on_signal(int number, siginfo_t *info, void *context)
{
	printf("%d, code %d, value %d\n", number, info->si_code, info->si_value.sival_int);
}

int main(int argc, char **argv)
{
	int number = argc > 1 ? atoi(argv[1]) : SIGBUS, failed;
	int to_thread = strcmp(WORD(2, "thread", "process"), "thread") == 0;
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	siginfo_t info = {.si_code = SI_QUEUE};
	sigset_t set;

	sigfillset(&action.sa_mask);
	sigaction(number, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	info.si_value.sival_int = 7;
	if (to_thread)
		failed = (int)syscall(SYS_rt_tgsigqueueinfo, getpid(), getpid(), number, &info);
	else
		failed = (int)syscall(SYS_rt_sigqueueinfo, getpid(), number, &info);
	raise(SIGHUP);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return failed + untouched[100000];
}
