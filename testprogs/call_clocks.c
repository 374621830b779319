/*
 * call_clocks: clocks, sleeps and timers with structures on untouched pages. The times themselves
 * do not matter, only that the kernel reads and fills the structures.
 */
#include "guest.h"
#include "machine/old_calls.h"
#include "show.h"
#include "straddling.h"

#include <sys/timerfd.h>
#include <sys/times.h>

static const struct timespec moment __attribute__((aligned(PAGE))) = {0, 1000000};
static const struct itimerspec setting __attribute__((aligned(PAGE))) = {{1000, 7}, {2000, 8}};

static void timers(void)
{
	struct sigevent *event = straddling();
	int *timer = (int *)((char *)straddling() + 6), file = timerfd_create(CLOCK_MONOTONIC, 0);
	struct itimerspec *left = straddling(), *old = straddling();
	struct itimerval *interval = straddling(), *now = straddling();

	event->sigev_notify = SIGEV_NONE;
	show("create", syscall(SYS_timer_create, CLOCK_MONOTONIC, event, timer));
	show("set", syscall(SYS_timer_settime, *timer, 0, &setting, straddling()));
	show("get", syscall(SYS_timer_gettime, *timer, left));
	printf("%d %ld %ld\n", left->it_value.tv_sec > 1900, (long)left->it_interval.tv_sec,
	       left->it_interval.tv_nsec);
	show("delete", syscall(SYS_timer_delete, *timer));
	show("no timer", syscall(SYS_timer_gettime, 4711, straddling()));
	show("file", timerfd_settime(file, 0, &setting, straddling()));
	show("again", timerfd_settime(file, 0, straddling(), old));
	printf("%d %ld\n", old->it_value.tv_sec > 1900, (long)old->it_interval.tv_sec);
	show("file", timerfd_gettime(file, straddling()));
	interval->it_value.tv_sec = 1000;
	show("setitimer", setitimer(ITIMER_REAL, interval, straddling()));
	show("getitimer", getitimer(ITIMER_REAL, now));
	printf("%d\n", now->it_value.tv_sec > 900);
	show("setitimer", setitimer(ITIMER_REAL, straddling(), straddling()));
}

int main(void)
{
	struct timespec *time = straddling(), *resolution = straddling();
	struct timeval *day = straddling();
	struct rusage *usage = straddling();

	show("nanosleep", nanosleep(&moment, straddling()));
	show("no time", nanosleep(straddling(), NULL));
	show("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, straddling()));
	show("past", syscall(SYS_clock_nanosleep, CLOCK_REALTIME, TIMER_ABSTIME, straddling(), 0));
	show("vdso", clock_gettime(CLOCK_MONOTONIC, time));
	printf("%d\n", time->tv_sec + time->tv_nsec > 0);
	time = straddling();
	show("gettime", syscall(SYS_clock_gettime, CLOCK_REALTIME, time));
	printf("%d\n", time->tv_sec > 1000000);
	show("cpu time", clock_gettime(CLOCK_PROCESS_CPUTIME_ID, straddling()));
	show("getres", syscall(SYS_clock_getres, CLOCK_MONOTONIC, resolution));
	printf("%ld\n", resolution->tv_nsec);
	show("vdso getres", clock_getres(CLOCK_REALTIME, straddling()));
	show("settime", syscall(SYS_clock_settime, CLOCK_MONOTONIC, straddling()));
	show("gettimeofday", syscall(SYS_gettimeofday, day, straddling()));
	printf("%d\n", day->tv_sec > 1000000);
	show("vdso", gettimeofday(straddling(), NULL));
	show("time", call_time((char *)straddling() + 4) > 1000000);
	show("times", times(straddling()) != -1);
	show("getrusage", syscall(SYS_getrusage, RUSAGE_SELF, usage));
	/*
	 * ru_maxrss is not printed: the kernel may not have counted a page of so small a program
	 * yet.
	 */
	printf("%d\n", usage->ru_minflt > 0);
	show("invalid", clock_gettime(4711, straddling()));
	timers();
	mark();
}
