/*
 * thread_cancel_storm: threads that may be canceled at any instruction are, in the middle of page
 * faults; others only between their system calls. Their cleanup handlers touch more.
 */
#include "guest.h"

#define THREADS 4
#define PAGES	400
#define ROUNDS	4

static unsigned char pages[ROUNDS][THREADS][PAGES * PAGE], marks[ROUNDS][THREADS][PAGE];
static volatile int started[ROUNDS][THREADS], round_number;

static void clean(void *pointer)
{
	*(unsigned char *)pointer += 1;
}

static void *touch(void *pointer)
{
	long me = (long)pointer;
	unsigned char *mine = pages[round_number][me];
	int kind = me % 2 ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED, old;

	pthread_cleanup_push(clean, &marks[round_number][me][50]);
	started[round_number][me] = 1;
	pthread_setcanceltype(kind, &old);
	for (;;) {
		for (int i = 0; i < PAGES; i++) {
			((volatile unsigned char *)mine)[i * PAGE]++;
			if (me % 2 == 0 && i % 16 == 0)
				pthread_testcancel();
		}
	}
	pthread_cleanup_pop(1);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	int canceled = 0, cleaned = 0;

	for (; round_number < ROUNDS; round_number++) {
		for (long i = 0; i < THREADS; i++)
			must(pthread_create(&threads[i], NULL, touch, (void *)i) == 0);
		for (int i = 0; i < THREADS; i++) {
			while (!started[round_number][i])
				usleep(100);
			pthread_cancel(threads[i]);
			canceled += result_of(threads[i]) == (long)PTHREAD_CANCELED;
		}
		for (int i = 0; i < THREADS; i++)
			cleaned += marks[round_number][i][50];
	}
	printf("canceled %d, cleaned %d\n", canceled, cleaned);
	mark();
}
