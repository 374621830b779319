/*
 * prog4: reads through a NULL pointer. It must die of SIGSEGV, in a native run and under each
 * loader.
 */
#include <stdio.h>

int main(void)
{
	int *volatile nowhere = NULL;

	printf("hello!\n");
	fflush(stdout);
	return *nowhere;
}
