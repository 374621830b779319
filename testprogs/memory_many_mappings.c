/*
 * memory_many_mappings: touches every second page of 512 MiB of .bss, then makes 20000 mappings,
 * then 50 threads. A program may have 65530 mappings, and paging must leave enough of them.
 */
#include "guest.h"
#include "threads.h"

#undef PAGE
#define PAGE	 4096L
#define SIZE	 (512L << 20)
#define MAPPINGS 20000
#define THREADS	 50

static char area[SIZE] __attribute__((aligned(PAGE)));
static char own[THREADS][16 * PAGE] __attribute__((aligned(PAGE)));
static char *mappings[MAPPINGS];

static void *run(void *argument)
{
	intptr_t me = (intptr_t)argument, sum = 0;

	for (int i = 0; i < 16; i++)
		own[me][i * PAGE + me]++;
	for (int i = 0; i < 16; i++)
		sum += own[me][i * PAGE + me];
	/* Each thread touches pages between those that were touched. */
	for (long i = me; i < SIZE / PAGE / 2; i += THREADS * 64)
		sum += area[(2 * i + 1) * PAGE] + 1;
	return (void *)sum;
}

int main(void)
{
	intptr_t sum = 0;
	int failed = 0;

	for (long i = 0; i < SIZE; i += 2 * PAGE)
		area[i] = 1;
	for (long i = 0; i < SIZE; i += 2 * PAGE)
		sum += area[i];
	printf("%ld pages\n", (long)sum);
	for (int i = 0; i < MAPPINGS; i++) {
		int protection = i % 2 ? PROT_READ : PROT_READ | PROT_WRITE;

		mappings[i] = mmap(NULL, PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (mappings[i] == MAP_FAILED)
			failed++;
		else if (i % 2 == 0)
			mappings[i][i % PAGE] = 1;
	}
	printf("%d mappings failed%s%s\n", failed, failed ? ": " : "",
	       failed ? strerror(errno) : "");
	printf("threads: %ld\n", run_threads(THREADS, run));
	for (int i = 0; i < MAPPINGS; i++)
		failed += munmap(mappings[i], PAGE);
	printf("%d failed\n", failed);
	mark();
}
