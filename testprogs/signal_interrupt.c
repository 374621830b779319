/*
 * signal_interrupt: system calls that a timer's signals interrupt, with SA_RESTART and without; and
 * those that are never begun again. What they fill in lies on untouched pages.
 */
#include "guest.h"

#include <sys/epoll.h>

static struct {
	APART char buffer[4096];
	APART struct timespec left;
	APART struct epoll_event events[2];
	APART char end;
} far;

/* Shared with the children. */
static volatile sig_atomic_t *handled;

static void on_alarm(int number)
{
	++*handled;
}

static void start_timer(int flags)
{
	const struct itimerval often = {{0, 1000}, {0, 1000}};

	HANDLE(on_alarm, flags, SIGALRM);
	*handled = 0;
	setitimer(ITIMER_REAL, &often, NULL);
}

static void show(const char *what, long result)
{
	int failed = errno;
	const struct itimerval never = {0};

	setitimer(ITIMER_REAL, &never, NULL);
	if (result < 0)
		printf("%s: %s\n", what, failed == EINTR ? "interrupted" : "another error");
	else
		printf("%s: %ld\n", what, result);
	check("handled", *handled > 0);
}

/* A child ends, and before that gives the byte, after some signals. */
static pid_t slow_child(int end)
{
	const struct timespec rest = {0, 6000000};
	pid_t pid = fork();

	if (pid == 0) {
		do
			nanosleep(&rest, NULL);
		while (*handled == 0);
		_exit(write(end, "x", 1) == 1 ? 0 : 1);
	}
	return pid;
}

static void restarted(const int *ends)
{
	pid_t pid;

	start_timer(SA_RESTART);
	slow_child(ends[1]);
	show("read, restarted", read(ends[0], far.buffer, sizeof(far.buffer)));
	wait(NULL);
	start_timer(SA_RESTART);
	pid = slow_child(ends[1]);
	show("wait, restarted", waitpid(pid, NULL, 0) == pid);
	check("byte", read(ends[0], far.buffer + 1, 1) == 1);
}

int main(void)
{
	static const struct timespec long_rest = {50, 0};
	int ends[2];

	handled =
	    mmap(NULL, sizeof(*handled), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must(handled != MAP_FAILED && pipe(ends) == 0);
	start_timer(0);
	show("read", read(ends[0], far.buffer, sizeof(far.buffer)));
	restarted(ends);
	printf("'%s'\n", far.buffer);
	for (int flags = 0;; flags = SA_RESTART) {
		struct pollfd poll_for = {.fd = ends[0], .events = POLLIN};
		int queue = epoll_create1(0);

		start_timer(flags);
		show("pause", pause());
		start_timer(flags);
		show("nanosleep", nanosleep(&long_rest, &far.left));
		check("much is left", far.left.tv_sec >= 10 && far.left.tv_sec < 50);
		far.left.tv_sec = 0;
		start_timer(flags);
		show("poll", poll(&poll_for, 1, 50000));
		start_timer(flags);
		show("epoll_wait", epoll_wait(queue, far.events, 2, 50000));
		start_timer(flags);
		show("clock_nanosleep",
		     syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &long_rest, &far.left));
		check("much is left", far.left.tv_sec >= 10 && far.left.tv_sec < 50);
		close(queue);
		if (flags != 0)
			break;
	}
	mark();
}
