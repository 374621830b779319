/*
 * thread_timers: every thread has its own timer at 2 kHz, and must receive that timer's signals,
 * while it has page faults and makes system calls.
 */
#include "guest.h"

#define THREADS 4
#define PAGES	800
#define ENOUGH	15

static struct {
	APART struct sigevent event;
	APART struct itimerspec times;
	APART int timer;
	APART char end;
} timers[THREADS];
static unsigned char pages[THREADS][PAGES * PAGE];
static volatile int fired[THREADS], elsewhere;
static __thread int self = -1;

static void on_timer(int number, siginfo_t *info, void *context)
{
	if (info->si_value.sival_int == self && self >= 0)
		fired[self]++;
	else
		elsewhere++;
}

/* Makes raw calls: the one field that matters has another name in each C library. */
static void *work(void *pointer)
{
	int id = (int)syscall(SYS_gettid);
	long sum = 0;

	self = (int)(long)pointer;
	timers[self].event.sigev_signo = SIGRTMIN + 5;
	timers[self].event.sigev_notify = 4;
	timers[self].event.sigev_value.sival_int = self;
	memcpy((char *)&timers[self].event + 16, &id, sizeof(id));
	timers[self].times.it_value.tv_nsec = timers[self].times.it_interval.tv_nsec = 500000;
	if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &timers[self].event, &timers[self].timer) ||
	    syscall(SYS_timer_settime, timers[self].timer, 0, &timers[self].times, NULL))
		return (void *)-1L;
	for (int i = 0; i < PAGES || fired[self] < ENOUGH; i++) {
		if (i < PAGES)
			pages[self][i * PAGE]++;
		else
			usleep(100);
		if (i % 8 == 0)
			getppid();
	}
	syscall(SYS_timer_delete, timers[self].timer);
	for (int i = 0; i < PAGES; i++)
		sum += pages[self][i * PAGE];
	return (void *)sum;
}

int main(void)
{
	pthread_t threads[THREADS];

	HANDLE_INFO(on_timer, SA_RESTART, SIGRTMIN + 5);
	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (int i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(threads[i], &result);
		printf("thread %d: %ld, enough %d\n", i, (long)result, fired[i] >= ENOUGH);
	}
	printf("elsewhere %d\n", elsewhere);
	mark();
}
