/*
 * signal_info: the siginfo that a handler with SA_SIGINFO receives for each way of sending a
 * signal. The handler copies it to untouched pages, and one siginfo is sent from untouched
 * constants.
 */
#include "guest.h"

static union {
	siginfo_t info;
	char pages[3 * 4096];
} seen[65];

/* Number, errno, code, a hole, pid, uid, value. */
static const struct {
	char before[4096 + 8];
	int info[sizeof(siginfo_t) / sizeof(int)];
	char after[4096];
} told = {.info = {0, 5, -60, 0, 12345, 678, 910}};

static volatile sig_atomic_t handled;

static void on_signal(int number, siginfo_t *info, void *context)
{
	seen[number].info = *info;
	handled++;
}

static void show(const char *how, int number, pid_t sender)
{
	const siginfo_t *info = &seen[number].info;

	printf("%s: handled %d, number is right %d, code %d, errno %d\n", how, (int)handled,
	       info->si_signo == number, info->si_code, info->si_errno);
	if (sender != 0)
		check("sender", info->si_pid == sender && info->si_uid == getuid());
}

static void show_child(void)
{
	sigset_t child = SET_OF(SIGCHLD), before;

	sigprocmask(SIG_BLOCK, &child, &before);

	int earlier = handled;
	pid_t pid = fork();

	if (pid == 0)
		_exit(42);
	while (handled == earlier)
		sigsuspend(&before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	show("exit of a child", SIGCHLD, pid);
	printf("status %d\n", seen[SIGCHLD].info.si_status);
	check("waited for", waitpid(pid, NULL, 0) == pid);
}

static void show_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3};
	const struct itimerspec soon = {.it_value.tv_nsec = 1000000};
	timer_t timer;
	int earlier = handled;

	event.sigev_value.sival_int = 4711;
	check("timer created", timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	timer_settime(timer, 0, &soon, NULL);
	while (handled == earlier)
		getppid();
	show("timer", SIGRTMIN + 3, 0);
	printf("value %d, overrun %d\n", seen[SIGRTMIN + 3].info.si_value.sival_int,
	       timer_getoverrun(timer));
	timer_delete(timer);
}

static void show_queued(int number)
{
	sigqueue(getpid(), number, (union sigval){.sival_ptr = seen + number});
	show("sigqueue", number, getpid());
	check("value", seen[number].info.si_value.sival_ptr == seen + number);
}

int main(void)
{
	for (int number = 1; number <= 64; number++)
		HANDLE_INFO(on_signal, 0, number);
	raise(SIGUSR1);
	show("raise", SIGUSR1, getpid());
	kill(getpid(), SIGUSR2);
	show("kill", SIGUSR2, getpid());
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGTERM);
	show("tgkill", SIGTERM, getpid());
	show_queued(SIGRTMAX);
	syscall(SYS_rt_sigqueueinfo, getpid(), SIGHUP, told.info);
	show("rt_sigqueueinfo", SIGHUP, 0);
	printf("pid %d, uid %u, value %d\n", (int)seen[SIGHUP].info.si_pid,
	       (unsigned)seen[SIGHUP].info.si_uid, seen[SIGHUP].info.si_value.sival_int);
	show_child();
	show_timer();
	mark();
	/* The queued signal has to wait: sigqueue() of musl blocks all signals meanwhile. */
	show_queued(SIGSEGV);
}
