/* prog3: one static array of 4 MB in .bss, written from start to end. */
#include <stdio.h>

#define ELEMENTS 1000000

static int only[ELEMENTS];

int main(void)
{
	for (int i = 0; i < ELEMENTS; i++)
		only[i] = i;
	printf("hello! %d\n", only[ELEMENTS - 1]);
	return 0;
}
