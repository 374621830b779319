/*
 * signal_timedwait: rt_sigtimedwait takes blocked signals without a handler. Its set and timeout
 * are constants, its siginfo goes to pages that were never touched.
 */
#include "guest.h"

static const struct {
	char before[2 * 4096];
	uint64_t wanted[2];
	char between[2 * 4096];
	struct timespec soon;
	char after[2 * 4096];
} told = {.wanted = {BIT(SIGUSR1) | BIT(SIGHUP) | BIT(SIGPIPE) | BIT(SIGCHLD) | BIT(40),
		     BIT(SIGUSR1) | BIT(SIGSEGV) | BIT(SIGSYS) | BIT(SIGCHLD) | BIT(40)},
	  .soon = {0, 2000000}};

/* Waiting for signals of faults ends lazy paging: only the second time. */
static int faults;

static struct {
	char before[2 * 4096 + 4000];
	siginfo_t info;
	char after[2 * 4096];
} taken[16];

static void take(siginfo_t *info, const struct timespec *timeout)
{
	long number = syscall(SYS_rt_sigtimedwait, &told.wanted[faults], info, timeout, 8);

	if (number < 0) {
		printf("none: %s\n", strerror(errno));
		return;
	}
	printf("%ld", number);
	if (info)
		printf(", number %d, code %d, from us %d, value %d", info->si_signo, info->si_code,
		       info->si_pid == getpid(),
		       info->si_code == SI_QUEUE ? info->si_value.sival_int : 0);
	puts("");
}

static void wait_all(int one, int other)
{
	sigset_t some;
	int number = 0;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &told.wanted[faults], NULL, 8);
	take(&taken[0 + 8 * faults].info, &told.soon);
	raise(one);
	sigqueue(getpid(), 40, (union sigval){.sival_int = 1});
	sigqueue(getpid(), 40, (union sigval){.sival_int = 2});
	kill(getpid(), other);
	take(&taken[1 + 8 * faults].info, NULL);
	take(&taken[2 + 8 * faults].info, &told.soon);
	take(NULL, NULL);
	take(&taken[3 + 8 * faults].info, NULL);
	take(&taken[4 + 8 * faults].info, &told.soon);

	pid_t pid = fork();

	if (pid == 0) {
		kill(getppid(), SIGUSR1);
		_exit(7);
	}
	take(NULL, NULL);
	take(&taken[5 + 8 * faults].info, NULL);
	check("end of the child", taken[5 + 8 * faults].info.si_pid == pid &&
				      taken[5 + 8 * faults].info.si_code == CLD_EXITED &&
				      taken[5 + 8 * faults].info.si_status == 7);
	check("waited for", wait(NULL) == pid);

	some = SET_OF(SIGUSR1, one);
	sigqueue(getpid(), one, (union sigval){.sival_int = 3});
	printf("sigwaitinfo %d, value %d\n", sigwaitinfo(&some, &taken[6 + 8 * faults].info),
	       taken[6 + 8 * faults].info.si_value.sival_int);
	raise(SIGUSR1);
	check("sigwait", sigwait(&some, &number) == 0 && number == SIGUSR1);
	check("no set",
	      syscall(SYS_rt_sigtimedwait, NULL, NULL, &told.soon, 8) == -1 && errno == EFAULT);
	check("bad timeout", syscall(SYS_rt_sigtimedwait, &told.wanted[faults], NULL,
				     &(struct timespec){0, -1}, 8) == -1 &&
				 errno == EINVAL);
}

int main(void)
{
	wait_all(SIGHUP, SIGPIPE);
	mark();
	faults = 1;
	wait_all(SIGSEGV, SIGSYS);
}
