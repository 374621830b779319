/*
 * thread_crowd: sixty-four threads at one barrier, all of them after the same pages at the same
 * moment: pages of code, constants, data and .bss. Each adds its mark; none may be lost.
 */
#include "guest.h"
#include "threads.h"

#define THREADS 64
#define PAGES	24

#define FUNCTION(n)                                                                                \
	__attribute__((aligned(4096), noinline)) static int function_##n(int value)                \
	{                                                                                          \
		return value * (n + 2) + n;                                                        \
	}
FUNCTION(0)
FUNCTION(1)
FUNCTION(2)
FUNCTION(3)
FUNCTION(4)
FUNCTION(5)
FUNCTION(6)
FUNCTION(7)

static int (*const functions[])(int) = {function_0, function_1, function_2, function_3,
					function_4, function_5, function_6, function_7};
static unsigned char fresh[PAGES * PAGE];
static unsigned char filled[PAGES * PAGE] = {[100] = 1, [PAGE * PAGES - 1] = 2};
static const unsigned char constants[PAGES * PAGE] = {[3] = 5, [PAGE * 20 + 3] = 6};
static unsigned counts[PAGES][PAGE / sizeof(unsigned)];
static pthread_barrier_t barrier;

static void *work(void *pointer)
{
	int me = (int)(long)pointer;
	long sum = 0;

	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 8; i++)
		sum += functions[(i + me / 8) % 8](me);
	pthread_barrier_wait(&barrier);
	for (int page = 0; page < PAGES; page++) {
		fresh[page * PAGE + me * 3] = (unsigned char)(me + 1);
		sum += ((volatile const unsigned char *)constants)[page * PAGE + 3];
		filled[page * PAGE + 200 + me] = (unsigned char)(me + 1);
		__atomic_add_fetch(&counts[page][me % 4], 1, __ATOMIC_RELAXED);
	}
	return (void *)sum;
}

static long sum_bytes(const unsigned char *array)
{
	long result = 0;

	for (int i = 0; i < PAGES * PAGE; i++)
		result += array[i];
	return result;
}

int main(void)
{
	pthread_attr_t attributes;
	pthread_t threads[THREADS];
	long sum, counted = 0;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], &attributes, work, (void *)i) == 0);
	sum = join_threads(THREADS, threads);
	for (int page = 0; page < PAGES; page++)
		for (int i = 0; i < 4; i++)
			counted += counts[page][i];
	printf("results %ld, fresh %ld, filled %ld, counted %ld\n", sum, sum_bytes(fresh),
	       sum_bytes(filled), counted);
	mark();
}
