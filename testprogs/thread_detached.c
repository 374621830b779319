/*
 * thread_detached: hundreds of detached threads. A C library may let such a thread unmap its own
 * stack, so that its last system calls are made without one.
 */
#include "guest.h"

#define ROUNDS	10
#define AT_ONCE 24

static unsigned char pages[ROUNDS * AT_ONCE * PAGE];
static int done;

static void *run(void *pointer)
{
	char local[3 * PAGE];

	for (unsigned i = 0; i < sizeof(local); i += PAGE)
		((volatile char *)local)[i] = 1;
	pages[(long)pointer * PAGE + 17] += (unsigned char)(1 + ((volatile char *)local)[PAGE]);
	__atomic_add_fetch(&done, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

int main(void)
{
	pthread_attr_t attributes;
	long sum = 0;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	for (int round = 0; round < ROUNDS; round++) {
		/* Too large for a C library to keep them all for later. */
		pthread_attr_setstacksize(&attributes, round % 2 ? 65536 : 4 << 20);
		for (long i = 0; i < AT_ONCE; i++) {
			pthread_t thread;
			long which = round * AT_ONCE + i;

			must(pthread_create(&thread, &attributes, run, (void *)which) == 0);
		}
		while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) < (round + 1) * AT_ONCE)
			usleep(100);
	}
	for (int i = 0; i < ROUNDS * AT_ONCE * PAGE; i++)
		sum += pages[i];
	printf("sum %ld\n", sum);
	mark();
}
