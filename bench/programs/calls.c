/*
 * calls COUNT: system calls, cheap ones without an argument and ones that write to memory, the
 * first of them to pages that were never touched.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGES 64

static char buffer[PAGES][4096];

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 100000, total = 0;
	int zero = open("/dev/zero", O_RDONLY);

	for (long i = 0; i < count; i++) {
		syscall(SYS_getppid);
		total += read(zero, buffer[i % PAGES], 8);
	}
	printf("%ld bytes\n", total);
	return 0;
}
