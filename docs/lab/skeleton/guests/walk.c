/* walk: 12 MB of .bss in three arrays; writes the first from start to end. */
#include <stdio.h>

#define COUNT 1000000

int first[COUNT], second[COUNT], third[COUNT];

int main(void)
{
	long sum = 0;

	for (int i = 0; i < COUNT; i++)
		first[i] = i;
	for (int i = 0; i < COUNT; i += 1000)
		sum += first[i];
	printf("sum %ld\n", sum + second[COUNT / 2] + third[COUNT - 1]);
	return 0;
}
