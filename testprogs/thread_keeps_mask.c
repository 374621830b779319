/*
 * thread_keeps_mask: a thread's blocked signals stay blocked when another thread goes to sleep,
 * even if the first one lost the processor in the middle of a call.
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"
#include "processor.h"

static volatile bool begun, ended;
static volatile char untouched[400 * 4096];

/* Looks at the mask by raw calls; between the looks, a call lets the other thread run. */
static void *look(void *pointer)
{
	unsigned long all = ~0UL, none = 0, first, blocked;
	bool same = true;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &first, 8);
	begun = true;
	for (int more = 0; more < 10; more += ended) {
		syscall(SYS_sched_yield);
		syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &blocked, 8);
		same = same && blocked == first;
	}
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, 8);
	return same ? pointer : NULL;
}

int main(void)
{
	pthread_t thread;
	void *result, *good = &result;

	stay_on_this_processor();
	must(pthread_create(&thread, NULL, look, good) == 0);
	while (!begun)
		sched_yield();
	rest(1);
	ended = true;
	pthread_join(thread, &result);
	check("all the same", result == good);
	return untouched[30000];
}
