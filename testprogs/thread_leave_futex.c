/*
 * thread_leave_futex: a thread sleeps in FUTEX_WAIT. Another one changes the word without waking
 * it, looks at the process in /proc, and wakes it later. Only that call wakes it.
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"

#define FUTEX_WAIT_PRIVATE	  128
#define FUTEX_WAKE_PRIVATE	  129
#define FUTEX_CMP_REQUEUE_PRIVATE 132

static volatile char untouched[240 * 4096];
static int word;
static volatile int result = 1, failed;

static void *sleep_long(void *unused)
{
	const struct timespec limit = {20, 0};

	failed = 0;
	result = (int)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &limit, NULL, 0);
	failed = errno;
	return unused;
}

/* Moves a sleeper, if there is one, from the word to the same word. */
static int sleepers(void)
{
	return (int)syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 0, 1L, &word, 0);
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_long, NULL);
	while (sleepers() == 0)
		sched_yield();
	__atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
	close(open("/proc/self/stat", O_RDONLY));
	rest(30);
	check("sleeps on", result == 1);
	printf("woken: %ld\n", syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0));
	pthread_join(thread, NULL);
	printf("result %d, error %d\n", result, result < 0 ? failed : 0);
	return untouched[20000 + word];
}
