/*
 * Writes every second page of 1 GiB of .bss and reads them back. A pager that splits a mapping at
 * each page would need 262 144 mappings, four times vm.max_map_count.
 */
#include <stdio.h>

#define BYTES (1UL << 30)
#define PAGE  4096UL

static unsigned char memory[BYTES];

int main(void)
{
	for (unsigned long i = 0; i < BYTES; i += 2 * PAGE)
		memory[i] = (unsigned char)(i / PAGE % 251 + 1);
	for (unsigned long i = 0; i < BYTES; i += 2 * PAGE)
		if (memory[i] != i / PAGE % 251 + 1 || memory[i + PAGE] != 0)
			return 1;
	printf("every second page of 1 GiB\n");
}
