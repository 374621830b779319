/* read_then_write: minor faults of reading 1024 fresh pages, and of writing them afterwards. */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define PAGE  4096
#define PAGES 1024

static long minor_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

int main(void)
{
	volatile char *area =
	    mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long start, between, sum = 0;

	madvise((void *)area, PAGES * PAGE, MADV_NOHUGEPAGE);
	start = minor_faults();
	for (int i = 0; i < PAGES; i++)
		sum += area[i * PAGE];
	between = minor_faults();
	for (int i = 0; i < PAGES; i++)
		area[i * PAGE] = 1;
	printf("%ld faults to read, %ld to write, sum %ld\n", between - start,
	       minor_faults() - between, sum);
	return 0;
}
