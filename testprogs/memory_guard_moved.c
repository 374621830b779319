/*
 * memory_guard_moved WAY: guard pages of the program's own (Linux 6.13) in .bss, to where mremap
 * has moved them ("moved"), or by an advice that only as an int is one ("int"), still are guarded
 * later.
 *
 * No mark: that ends lazy paging.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE	      4096
#define LENGTH	      (8L * PAGE)
#define GUARD_INSTALL 102

static volatile char pages[2048][PAGE] __attribute__((aligned(PAGE)));

static void on_fault(int number)
{
	static const char text[] = "it holds\n";

	(void)number;
	_exit(write(1, text, sizeof(text) - 1) < 0);
}

static int guard_moved(void *place)
{
	void *own = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return own != MAP_FAILED && madvise(own, LENGTH, GUARD_INSTALL) == 0 &&
	       mremap(own, LENGTH, LENGTH, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place;
}

int main(int argc, char **argv)
{
	char *place = (char *)pages[2000];
	int guarded;

	if (argc > 1 && strcmp(argv[1], "moved") == 0)
		guarded = guard_moved(place);
	else
		guarded = syscall(SYS_madvise, place, LENGTH, (1L << 32) | GUARD_INSTALL) == 0;
	printf("guarded: %d\n", guarded);
	fflush(stdout);
	for (int i = 0; i < 500; i++)
		syscall(SYS_getppid);
	signal(SIGSEGV, on_fault);
	place[PAGE] = 1;
	return 0;
}
