/*
 * call_polling: poll, ppoll, select, pselect, epoll_wait and epoll_pwait2 with arrays, sets, masks
 * and timeouts on untouched pages.
 */
#include "guest.h"
#include "machine/old_calls.h"
#include "show.h"

#include <sys/epoll.h>
#include <sys/select.h>

#define OWN_epoll_pwait2 441

static char area[256 * PAGE] __attribute__((aligned(PAGE)));
static struct pollfd ready[1] = {{.fd = 0, .events = POLLIN}};
static const struct timespec short_time __attribute__((aligned(PAGE))) = {0, 1000};
static const struct epoll_event wanted __attribute__((aligned(PAGE))) = {EPOLLIN, {.u64 = 4711}};

/* A descriptor so high that its set is longer than a page. */
static void with_large_sets(int readable)
{
	struct rlimit limit;
	unsigned long *set = (unsigned long *)(area + 100 * PAGE - 8);
	int high = 70000;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_max < 80000)
		limit.rlim_max = 80000; /* for root */
	limit.rlim_cur = limit.rlim_max;
	show("limit", setrlimit(RLIMIT_NOFILE, &limit));
	show("high descriptor", dup2(readable, high));
	set[high / 64] = 1UL << (high % 64);
	show("large sets", CALL_SELECT(high + 1, set, area + 110 * PAGE - 8, area + 120 * PAGE - 8,
				       area + 130 * PAGE - 8));
	printf("%d\n", set[high / 64] == 1UL << (high % 64));
	show("large empty sets", CALL_SELECT(high + 1, area + 140 * PAGE - 8, area + 150 * PAGE - 8,
					     NULL, area + 135 * PAGE - 8));
	close(high);
}

int main(void)
{
	struct pollfd *many = (struct pollfd *)(area + 3 * PAGE - 4);
	struct epoll_event *events = (struct epoll_event *)(area + 40 * PAGE - 6);
	fd_set *set = (fd_set *)(area + 50 * PAGE - 16);
	int ends[2], epoll = epoll_create1(0);
	struct {
		const void *mask;
		size_t size;
	} *masked = (void *)(area + 70 * PAGE - 8);

	must(pipe(ends) == 0);
	show("zeroes, descriptor 0", poll((struct pollfd *)(area + 200 * PAGE - 4), 1500, 0) >= 0);
	for (int i = 0; i < 1200; i++)
		many[i] =
		    (struct pollfd){.fd = i % 3 ? -1 : ends[i % 2], .events = POLLIN | POLLOUT};
	show("poll", poll(many, 1200, 0));
	show("poll", poll(NULL, 0, 1));
	ready->fd = ends[0];
	show("ppoll", syscall(SYS_ppoll, ready, 1, &short_time, area + 60 * PAGE - 4, 8));
	show("nothing", syscall(SYS_ppoll, area + 161 * PAGE, 0, area + 162 * PAGE - 8, NULL, 8));
	show("write", write(ends[1], "x", 1));
	show("poll", poll(ready, 1, -1));
	FD_SET(ends[0], set);
	show("select", select(ends[1] + 1, set, (fd_set *)(area + 54 * PAGE - 8), NULL,
			      (struct timeval *)(area + 56 * PAGE - 8)));
	printf("%d\n", FD_ISSET(ends[0], set) != 0);
	show("empty",
	     select(ends[1] + 1, (fd_set *)(area + 58 * PAGE - 8), (fd_set *)(area + 62 * PAGE - 8),
		    (fd_set *)(area + 64 * PAGE - 8), (struct timeval *)(area + 66 * PAGE - 8)));
	masked->mask = area + 80 * PAGE - 4;
	masked->size = 8;
	show("pselect", syscall(SYS_pselect6, ends[1] + 1, set, NULL, NULL, &short_time, masked));
	with_large_sets(ends[0]);
	show("add", epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], (struct epoll_event *)&wanted));
	show("add", epoll_ctl(epoll, EPOLL_CTL_ADD, ends[1],
			      (struct epoll_event *)(area + 85 * PAGE - 6)));
	show("epoll_wait", epoll_wait(epoll, events, 1000, -1));
	printf("%lu\n", (unsigned long)events[0].data.u64);
	show("epoll_pwait2", syscall(OWN_epoll_pwait2, epoll, area + 90 * PAGE - 6, 100,
				     area + 92 * PAGE - 8, area + 94 * PAGE - 4, 8L));
	show("too many", CALL_EPOLL_WAIT(epoll, events, 1 << 30, 0));
	show("none", epoll_wait(epoll, events, 0, 0));
	mark();
}
