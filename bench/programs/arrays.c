/*
 * arrays stream|gather THREADS: works on three static arrays of 64 MB, each thread on a part of its
 * own.
 *
 *   stream   fills them, then copies, scales and adds, as the benchmark STREAM does
 *   gather   fills them, then adds elements at places that the first one names, as sparse matrices
 * do
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS    8000000
#define THREADS_MAX 16
#define PASSES	    2

static double one[ELEMENTS], two[ELEMENTS], three[ELEMENTS];
static pthread_barrier_t barrier;
static long threads;
static int gathers;

/* xorshift64 (Marsaglia, 2003), one step: a place that depends on a number alone. */
static size_t place_of(size_t number)
{
	uint64_t state = number * UINT64_C(0x9e3779b97f4a7c15) + 1;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (size_t)(state % ELEMENTS);
}

static void fill(size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		one[i] = gathers ? (double)place_of(i) : 1;
		two[i] = 2;
		three[i] = 0;
	}
}

static void stream(size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		three[i] = one[i];
	for (size_t i = from; i < to; i++)
		two[i] = 3 * three[i];
	for (size_t i = from; i < to; i++)
		one[i] = two[i] + 3 * three[i];
}

static void gather(size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		three[i] += two[(size_t)one[i]];
}

static void *work(void *argument)
{
	size_t number = (size_t)(uintptr_t)argument, share = ELEMENTS / (size_t)threads;
	size_t from = number * share, to = number + 1 == (size_t)threads ? ELEMENTS : from + share;

	fill(from, to);
	for (int pass = 0; pass < PASSES; pass++) {
		pthread_barrier_wait(&barrier);
		(gathers ? gather : stream)(from, to);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t others[THREADS_MAX];

	threads = argc > 2 ? atol(argv[2]) : 1;
	if (argc < 2 || threads < 1 || threads > THREADS_MAX)
		return 2;
	gathers = strcmp(argv[1], "gather") == 0;
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	for (long i = 1; i < threads; i++)
		if (pthread_create(&others[i], NULL, work, (void *)(uintptr_t)i) != 0)
			return 1;
	work(NULL);
	for (long i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
	printf("%s %ld: %g\n", argv[1], threads, one[ELEMENTS / 2] + two[1] + three[ELEMENTS - 1]);
	return 0;
}
