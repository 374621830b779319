/* prog1: 12 MB of .bss in three arrays; writes one of them from start to end. */
#include <stdio.h>

#define ELEMENTS 1000000

int first[ELEMENTS], second[ELEMENTS], third[ELEMENTS];

int main(void)
{
	for (int i = 0; i < ELEMENTS; i++)
		first[i] = i;
	printf("hello!\n");
	return 0;
}
