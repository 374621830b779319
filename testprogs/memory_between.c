/*
 * memory_between: a file is mapped into the middle of an untouched array, and system calls reach
 * across it. Then process_madvise drops pages, and mincore looks at untouched ones.
 */
#include "guest.h"

#include <sys/uio.h>

#ifndef SYS_process_madvise /* Linux 5.10; headers of 2020 lack it */
#define SYS_process_madvise 440
#endif

#define BYTES (8 << 20)

static char array[BYTES + PAGE];

int main(int argc, char **argv)
{
	char *start = (char *)(((uintptr_t)array + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
	int file = open(argv[0], O_RDONLY), zero = open("/dev/zero", O_RDONLY);
	struct iovec dropped = {start, 16 * PAGE};
	unsigned char present[4];
	long process = syscall(SYS_pidfd_open, getpid(), 0);

	for (int i = 0; i < 64; i++)
		start[i * PAGE] = (char)(i + 1);
	check("mapped", mmap(start + (4 << 20), PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED);
	printf("read %zd\n", read(zero, start + (3 << 20), 2 << 20));
	printf("read %zd\n", read(zero, start + (4 << 20) - 64 * PAGE, 65 * PAGE));
	start[5 * PAGE] = 7;
	printf("%d %d\n", start[5 * PAGE], start[40 * PAGE]);
	mark();
	/*
	 * The vector's contents are not printed: under all_at_once_loader every page is in memory.
	 */
	printf("mincore %d\n", mincore(start + (6 << 20), 4 * PAGE, present));
	printf("dropped %ld\n",
	       syscall(SYS_process_madvise, process, &dropped, 1, MADV_DONTNEED, 0) >= -1 ? 0L
											  : 1L);
	start[5 * PAGE] = 8;
	printf("%d %d\n", start[5 * PAGE], start[40 * PAGE]);
}
