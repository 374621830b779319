/*
 * signal_threads: every thread has its own mask and alternate stack. It handles signals that are
 * sent to it; a signal to the process is handled by the thread that does not block it. Each thread
 * handles its own faults. No thread sleeps while it has an alternate stack, which would end lazy
 * paging.
 */
#include "guest.h"

#define THREADS 4
#define SIZE	((size_t)(24 * 4096))
#define ROUNDS	200

static char stacks[THREADS][SIZE], area[THREADS][ROUNDS * 4096];
static __thread int self = -1;
static __thread sigjmp_buf landing;
static volatile int handled[THREADS], elsewhere[THREADS], faults[THREADS];

static void on_signal(int number)
{
	uintptr_t offset = (uintptr_t)&number - (uintptr_t)stacks;

	if (offset / SIZE != (uintptr_t)self || self < 0)
		elsewhere[self < 0 ? 0 : self]++;
	if (number == SIGSEGV) {
		faults[self]++;
		siglongjmp(landing, 1);
	}
	handled[self]++;
}

static void *work(void *pointer)
{
	self = (int)(intptr_t)pointer;

	const stack_t alternate = {.ss_sp = stacks[self], .ss_size = SIZE};
	long sum = 0;
	sigset_t set = SET_OF(SIGUSR2);

	sigaltstack(&alternate, NULL);
	pthread_sigmask(self == 2 ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL);
	for (volatile int i = 0; i < ROUNDS; i++) {
		volatile char *page = area[self] + i * 4096;

		sum += *page;
		*page = (char)self;
		sum += *page;
		pthread_kill(pthread_self(), SIGUSR1);
		if (sigsetjmp(landing, 1) == 0)
			*(volatile char *)(intptr_t)(self * 8) = 1;
	}
	if (self == 2)
		while (handled[2] == ROUNDS)
			sched_yield();
	pthread_sigmask(SIG_SETMASK, NULL, &set);
	sigaltstack(&(const stack_t){.ss_flags = SS_DISABLE}, NULL);
	return (void *)(sum * 10 + sigismember(&set, SIGUSR2));
}

int main(void)
{
	pthread_t threads[THREADS];
	sigset_t set = SET_OF(SIGUSR2);

	HANDLE(on_signal, SA_ONSTACK, SIGUSR1, SIGUSR2, SIGSEGV);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (intptr_t i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	/* Only the third thread may handle this one. */
	while (handled[2] < ROUNDS)
		usleep(100);
	kill(getpid(), SIGUSR2);
	for (int i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(threads[i], &result);
		printf("thread %d: result %ld, handled %d, faults %d, elsewhere %d\n", i,
		       (long)result, handled[i], faults[i], elsewhere[i]);
	}
	mark();
}
