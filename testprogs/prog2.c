/* prog2: 12 MB of .bss; 500 000 writes to random places in the first 400 KB of one array. */
#include <stdio.h>
#include <stdlib.h>

#define ELEMENTS 1000000
#define WRITES	 500000
#define REACH	 100000

int first[ELEMENTS], second[ELEMENTS], third[ELEMENTS];

int main(void)
{
	srand(1);
	for (int i = 0; i < WRITES; i++)
		second[rand() % REACH] = i;
	printf("hello!\n");
	return 0;
}
