/*
 * thread_setid: a user ID is set in every thread. The C library interrupts them all with a signal,
 * while they bring in pages, sleep, and make system calls.
 */
#include "guest.h"

#define THREADS 4
#define PAGES	1500
#define ROUNDS	10

static unsigned char pages[THREADS][PAGES * PAGE];
static volatile int finished;
static int ends[2];

static void *touch(void *pointer)
{
	unsigned char *mine = pages[(long)pointer];
	long sum = 0;

	for (int i = 0; i < PAGES; i++) {
		mine[i * PAGE]++;
		if (i % 16 == 0)
			getppid();
	}
	while (!finished)
		usleep(100);
	for (int i = 0; i < PAGES; i++)
		sum += mine[i * PAGE];
	return (void *)sum;
}

static void *wait_byte(void *pointer)
{
	return (void *)read(ends[0], pointer, 1);
}

int main(void)
{
	static char byte[3 * PAGE];
	pthread_t threads[THREADS + 1];
	int failed = 0;

	must(pipe(ends) == 0);
	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, touch, (void *)i) == 0);
	pthread_create(&threads[THREADS], NULL, wait_byte, byte + PAGE);
	for (int i = 0; i < ROUNDS; i++) {
		failed += setresuid((uid_t)-1, getuid(), (uid_t)-1) != 0;
		failed += setresgid((gid_t)-1, getgid(), (gid_t)-1) != 0;
	}
	finished = 1;
	failed += write(ends[1], "x", 1) != 1;
	for (int i = 0; i <= THREADS; i++)
		printf("thread %d: %ld\n", i, result_of(threads[i]));
	printf("failed %d, byte %c\n", failed, byte[PAGE]);
	mark();
}
