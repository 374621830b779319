/*
 * heap: uses small and large blocks from malloc. malloc gets memory from the kernel, and a pager
 * must not prevent that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGE (8ul << 20)

int main(void)
{
	long sum = 0;

	for (size_t size = 16; size <= LARGE; size *= 8) {
		unsigned char *memory = malloc(size);

		if (memory == NULL)
			return 1;
		memset(memory, 3, size);
		sum += memory[0] + memory[size - 1];
		free(memory);
	}
	printf("sum %ld\n", sum);
	return 0;
}
