/*
 * thread_leave_sleep CALL: one thread sleeps in CALL. Another one sends it a signal and at once
 * looks at the process in /proc. The sleep ends with EINTR. The sleeper has SCHED_BATCH, so that it
 * wakes only after the signal and the look.
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"
#include "asleep.h"
#include "processor.h"
#include "handled.h"

#include <sys/epoll.h>
#include <sys/select.h>

static const char *way;
static volatile char untouched[240 * 4096];
static volatile int id, over, result, failed;

static int sleep_somehow(void)
{
	const struct timespec ten = {10, 0};
	struct timeval ten_too = {10, 0};
	struct pollfd nothing = {.fd = -1};
	sigset_t none;

	sigemptyset(&none);
	if (strcmp(way, "pause") == 0)
		return pause();
	if (strcmp(way, "poll") == 0)
		return poll(&nothing, 1, 10000);
	if (strcmp(way, "ppoll") == 0)
		return ppoll(&nothing, 1, &ten, &none);
	if (strcmp(way, "select") == 0)
		return select(0, NULL, NULL, NULL, &ten_too);
	if (strcmp(way, "epoll_wait") == 0) {
		struct epoll_event event;

		return epoll_wait(epoll_create1(0), &event, 1, 10000);
	}
	if (strcmp(way, "sigsuspend") == 0)
		return sigsuspend(&none);
	if (strcmp(way, "clock_nanosleep") == 0)
		return (int)syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &ten, NULL);
	return nanosleep(&ten, NULL);
}

static void *sleeper(void *unused)
{
	const struct sched_param nothing = {0};

	syscall(SYS_sched_setscheduler, 0, SCHED_BATCH, &nothing);
	id = (int)syscall(SYS_gettid);
	result = sleep_somehow();
	failed = errno;
	over = 1;
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	way = WORD(1, "nanosleep", "pause", "poll", "ppoll", "select", "epoll_wait", "sigsuspend",
		   "clock_nanosleep");
	stay_on_this_processor();
	HANDLE(on_signal, 0, SIGUSR1);
	asleep_begin();
	pthread_create(&thread, NULL, sleeper, NULL);
	while (id == 0)
		rest(1);
	wait_until_asleep(id);
	pthread_kill(thread, SIGUSR1);
	close(open("/proc/self/stat", O_RDONLY));
	for (int i = 0; i < 1000 && !over; i++)
		rest(20);
	if (over)
		printf("result %d, error %d\n", result, failed);
	else
		puts("sleeps on");
	printf("handled %d\n", handled);
	fflush(stdout);
	_exit(untouched[20000 + over]);
}
