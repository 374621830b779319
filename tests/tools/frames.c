/*
 * Maps memory of several kinds, writes to stdout what /proc/self/pagemap says of each, in the words
 * of page-layout, and waits until stdin ends:
 *
 *   KIND START-END: a line; then one for each page
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE ((size_t)4096)
#define HUGE ((size_t)2 << 20)

static void *map(size_t bytes, int flags, int file)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, file, 0);

	if (memory == MAP_FAILED)
		exit(1);
	return memory;
}

static void show(const char *kind, const char *memory, size_t bytes, char missing)
{
	int pagemap = open("/proc/self/pagemap", O_RDONLY);
	uint64_t entry = 0;

	printf("%s %lx-%lx\n", kind, (unsigned long)memory, (unsigned long)memory + bytes);
	for (size_t at = 0; at < bytes; at += PAGE) {
		pread(pagemap, &entry, sizeof(entry), (off_t)(((uintptr_t)memory + at) / PAGE * 8));
		if (!(entry >> 63))
			printf("%c\n", missing);
		else if ((entry & ((UINT64_C(1) << 55) - 1)) == 0)
			printf("?\n");
		else
			printf("%lu\n", (unsigned long)(entry & ((UINT64_C(1) << 55) - 1)));
	}
	close(pagemap);
}

/* Two pages apart, so that no mapping grows together with its neighbor. */
static char *anonymous(size_t bytes)
{
	char *memory = map(bytes + 2 * PAGE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	munmap(memory, PAGE);
	munmap(memory + PAGE + bytes, PAGE);
	return memory + PAGE;
}

int main(int argc, char **argv)
{
	int file = open(argv[argc - 1], O_RDONLY);
	char *plain = anonymous(8 * PAGE), *of_file = map(3 * PAGE, MAP_PRIVATE, file);
	char *shared = map(4 * PAGE, MAP_SHARED | MAP_ANONYMOUS, -1), *huge = anonymous(2 * HUGE);
	volatile char *looked_at = of_file + PAGE;

	for (size_t i = 1; i < 6; i += 2)
		plain[i * PAGE] = 1;
	of_file[0] = 1;
	(void)*looked_at;
	/* Drops the page that was read ahead with the wanted one. */
	madvise(of_file + 2 * PAGE, PAGE, MADV_DONTNEED);
	shared[0] = 1;
	huge = (char *)(((uintptr_t)huge + HUGE - 1) & ~(HUGE - 1));
	madvise(huge, HUGE, MADV_HUGEPAGE);
	*huge = 1;
	show("anonymous", plain, 8 * PAGE, 'N');
	show("file", of_file, 3 * PAGE, 'F');
	show("shared", shared, 4 * PAGE, 'F');
	show("huge", huge, HUGE, 'N');
	fflush(stdout);
	if (fork() == 0) {
		/* The child shares all pages until its input ends. */
		while (read(0, plain, 1) > 0)
			;
		_exit(0);
	}
	printf("end\n");
	fflush(stdout);
	while (read(0, plain + PAGE, 1) > 0)
		;
	return 0;
}
