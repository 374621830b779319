/*
 * signal_wait_masks: ppoll, pselect6, epoll_pwait and epoll_pwait2 with a temporary mask, as raw
 * system calls with masks and timeouts on untouched pages and among constants.
 */
#include "guest.h"

#include <sys/epoll.h>
#include <sys/select.h>

#define SYS_EPOLL_PWAIT2 441

struct mask_and_size {
	const uint64_t *set;
	size_t size;
};

static const struct {
	char before[2 * 4096];
	uint64_t none;
	char between[2 * 4096];
	struct timespec soon;
	char after[2 * 4096];
} told = {.none = 0, .soon = {0, 1000000}};

static struct {
	char before[3 * 4096];
	struct pollfd poll_for;
	char after_poll[3 * 4096];
	fd_set readable;
	char after_select[3 * 4096];
	struct epoll_event events[8];
	char after_events[3 * 4096];
	struct mask_and_size mask;
	char after[3 * 4096];
	uint64_t in_handler;
} far;

static volatile sig_atomic_t handled;

static void on_signal(int number)
{
	handled = number;
	far.in_handler = mask_now();
}

/* One of the four calls, with a pipe's reading end and an epoll descriptor for it. */
static long wait_by(int way, int end, int queue, const struct timespec *timeout)
{
	switch (way) {
	case 0:
		far.poll_for = (struct pollfd){.fd = end, .events = POLLIN};
		return syscall(SYS_ppoll, &far.poll_for, 1, timeout, &told.none, 8);
	case 1:
		FD_SET(end, &far.readable);
		far.mask = (struct mask_and_size){&told.none, 8};
		return syscall(SYS_pselect6, end + 1, &far.readable, NULL, NULL, timeout,
			       &far.mask);
	case 2:
		return syscall(SYS_epoll_pwait, queue, far.events, 8, timeout ? 1 : -1, &told.none,
			       8);
	default:
		return syscall(SYS_EPOLL_PWAIT2, queue, far.events, 8, timeout, &told.none, 8);
	}
}

/* The other signal is one of faults the second time: blocking that ends lazy paging. */
static void wait_all(int other, uint64_t blocked)
{
	static const char *const names[] = {"ppoll", "pselect6", "epoll_pwait", "epoll_pwait2"};
	struct epoll_event event = {.events = EPOLLIN, .data.u64 = 77};
	int ends[2], queue = epoll_create1(0);
	char byte;

	if (pipe(ends) != 0 || epoll_ctl(queue, EPOLL_CTL_ADD, ends[0], &event) != 0)
		return;
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &blocked, NULL, 8);
	signal(SIGUSR1, on_signal);
	signal(other, on_signal);
	for (int way = 0; way < 4; way++) {
		printf("%s\n", names[way]);
		printf("timeout: %ld\n", wait_by(way, ends[0], queue, &told.soon));
		for (int i = 0; i < 2; i++) {
			raise(i == 0 ? SIGUSR1 : other);
			check("blocked", handled == 0);
			check("interrupted",
			      wait_by(way, ends[0], queue, NULL) == -1 && errno == EINTR);
			printf("handled %d, mask in handler %#lx, after %#lx\n", (int)handled,
			       (unsigned long)far.in_handler, (unsigned long)mask_now());
			handled = 0;
		}
		check("byte written", write(ends[1], "x", 1) == 1);
		printf("readable: %ld\n", wait_by(way, ends[0], queue, NULL));
		check("byte read", read(ends[0], &byte, 1) == 1);
	}
	printf("event data %lu\n", (unsigned long)far.events[0].data.u64);
}

int main(void)
{
	wait_all(SIGTERM, BIT(SIGUSR1) | BIT(SIGTERM));
	mark();
	wait_all(SIGSEGV, BIT(SIGUSR1) | BIT(SIGSEGV) | BIT(SIGSYS));
}
