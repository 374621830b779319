/*
 * at_entry: prints how many pages are in memory that it has not touched. Its arrays are aligned so
 * that no block of up to 16 pages also has other data, which libc may touch.
 */
#include "pages_present.h"

#include <stdio.h>

static const char constants[16 * PAGE] __attribute__((aligned(16 * PAGE))) = {1};
static char data[16 * PAGE] __attribute__((aligned(16 * PAGE))) = {1};
static char zeros[64 * PAGE] __attribute__((aligned(16 * PAGE)));

int main(void)
{
	long of_constants = pages_present(constants, 16);
	long of_data = pages_present(data, 16);
	long of_zeros = pages_present(zeros, 64);

	printf("rodata %ld of 16, data %ld of 16, bss %ld of 64\n", of_constants, of_data,
	       of_zeros);
	return 0;
}
