/* prog4: reads through a NULL pointer. It must die of SIGSEGV, loaded or in a native run. */
#include <stdio.h>

int main(void)
{
	int *volatile nowhere = NULL;

	printf("hello!\n");
	fflush(stdout);
	return *nowhere;
}
