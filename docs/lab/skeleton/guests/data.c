/*
 * data: initialized data has the file's bytes, and .bss is zero. That must also be so on the page
 * that has both, where the file has other bytes after the data.
 */
#include <stdio.h>

#define COUNT 5000

static int numbers[COUNT] = {1, 2, 3, [COUNT - 1] = 4};
static int zeros[COUNT];
static const char words[] = "read only";

int main(void)
{
	long sum = 0, not_zero = 0;

	for (int i = 0; i < COUNT; i++) {
		sum += numbers[i];
		not_zero += zeros[i] != 0;
	}
	numbers[1] = 20;
	zeros[1] = 20;
	printf("%s: sum %ld, %ld not zero, %d written\n", words, sum, not_zero,
	       numbers[1] + zeros[1]);
	return 0;
}
