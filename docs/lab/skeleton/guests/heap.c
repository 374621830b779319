/* heap: small and large memory of malloc. It comes from the kernel; a pager must not stand in its
 * way. */
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
