/*
 * heap: malloc in small and large pieces. The libc takes the memory from brk and from mmap; both
 * must work, and neither may hand out memory that overlaps the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECES 2000

static char guard_data[32] = "data before the heap";
static char guard_bss[70000];

int main(void)
{
	static char *pieces[PIECES];
	unsigned long sum = 0;

	for (int i = 0; i < PIECES; i++) {
		size_t size = (size_t)(i % 100 == 99 ? 300000 : 16 + i);

		pieces[i] = calloc(1, size);
		for (size_t j = 0; j < size; j++)
			sum += (unsigned char)pieces[i][j];
		memset(pieces[i], i, size);
	}
	for (int i = 0; i < PIECES; i++) {
		sum += (unsigned char)pieces[i][15];
		free(pieces[i]);
	}
	for (size_t i = 0; i < sizeof(guard_bss); i++)
		sum += (unsigned char)guard_bss[i];
	printf("sum %lu, \"%s\"\n", sum, guard_data);
}
