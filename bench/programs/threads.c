/* threads COUNT: that many threads write to 16 MiB of .bss at once, each to its own part of each
 * page. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGES	4096
#define THREADS 64

static uint8_t area[PAGES][4096];
static long count;

static void *touch(void *argument)
{
	long number = (long)argument;

	for (size_t page = 0; page < PAGES; page++)
		area[page][number] = (uint8_t)(page + (size_t)number);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	uint64_t sum = 0;

	count = argc > 1 ? atol(argv[1]) : 4;
	if (count < 1 || count > THREADS)
		return 125;
	for (long i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, touch, (void *)i) != 0)
			return 1;
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	for (size_t page = 0; page < PAGES; page++)
		for (long i = 0; i < count; i++)
			sum += area[page][i];
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
