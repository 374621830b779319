/*
 * thread_same_pages: threads write their own bytes into the same fresh pages at the same moment. A
 * pager that puts a page in place twice loses what was written in between.
 */
#include "guest.h"
#include "threads.h"

#define THREADS 16
#define PAGES	64
#define ROUNDS	4

static unsigned char pages[ROUNDS][PAGES * PAGE];
static pthread_barrier_t barrier;

static void *work(void *pointer)
{
	unsigned me = (unsigned)(long)pointer;

	for (int round = 0; round < ROUNDS; round++) {
		pthread_barrier_wait(&barrier);
		for (unsigned page = 0; page < PAGES; page++)
			for (unsigned at = me; at < PAGE; at += PAGE / 4)
				pages[round][page * PAGE + at] = (unsigned char)(me + 1);
	}
	return NULL;
}

int main(void)
{
	unsigned long lost = 0;

	pthread_barrier_init(&barrier, NULL, THREADS);
	run_threads(THREADS, work);
	for (unsigned i = 0; i < sizeof(pages); i++)
		if (i % (PAGE / 4) < THREADS)
			lost += ((unsigned char *)pages)[i] != i % (PAGE / 4) + 1;
	printf("lost %lu\n", lost);
	mark();
}
