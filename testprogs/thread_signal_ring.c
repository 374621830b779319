/*
 * thread_signal_ring: each thread queues signals for the next one, all at once, while all of them
 * bring in pages. Handlers run on alternate stacks of fresh pages and write to fresh pages.
 */
#include "guest.h"

#define THREADS 6
#define SIGNALS 150
#define STACK	(16 * PAGE)
#define NUMBER	40

static char stacks[THREADS][STACK], marks[THREADS][SIGNALS * PAGE], pages[THREADS][SIGNALS * PAGE];
static int ids[THREADS];
static long sums[THREADS];
static volatile int received[THREADS], elsewhere;
static __thread int self;
static volatile int ready, done;

static void on_signal(int number, siginfo_t *info, void *context)
{
	char local;

	/* Where all is well nothing is written: one thread's count must not undo another's. */
	if (number != NUMBER || (uintptr_t)&local - (uintptr_t)stacks[self] >= sizeof(stacks[self]))
		elsewhere++;
	marks[self][received[self] * PAGE] = 1;
	sums[self] += info->si_value.sival_int;
	received[self]++;
}

/* Waits without sleeping: lazy paging ends before a thread with an alternate stack sleeps. */
static void wait_for_all(volatile int *count)
{
	__atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
	while (*count < THREADS)
		sched_yield();
}

static void *work(void *pointer)
{
	self = (int)(long)pointer;

	const stack_t alternate = {.ss_sp = stacks[self], .ss_size = STACK};

	sigaltstack(&alternate, NULL);
	ids[self] = (int)syscall(SYS_gettid);
	wait_for_all(&ready);
	for (int i = 0; i < SIGNALS; i++) {
		siginfo_t info = {.si_code = SI_QUEUE, .si_value.sival_int = i + 1};

		while (syscall(SYS_rt_tgsigqueueinfo, getpid(), ids[(self + 1) % THREADS], NUMBER,
			       &info) != 0 &&
		       errno == EAGAIN)
			sched_yield();
		pages[self][i * PAGE + self] = 1;
	}
	while (received[self] < SIGNALS)
		sched_yield();
	wait_for_all(&done);
	sigaltstack(&(const stack_t){.ss_flags = SS_DISABLE}, NULL);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	HANDLE_INFO(on_signal, SA_ONSTACK | SA_RESTART, NUMBER);
	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (int i = 0; i < THREADS; i++) {
		int touched = 0;

		pthread_join(threads[i], NULL);
		for (int j = 0; j < SIGNALS; j++)
			touched += marks[i][j * PAGE] + pages[i][j * PAGE + i];
		printf("thread %d: received %d, sum %ld, touched %d\n", i, received[i], sums[i],
		       touched);
	}
	printf("elsewhere %d\n", elsewhere);
	mark();
}
