/* null: reads through a NULL pointer. It must die of SIGSEGV. */
#include <stdio.h>

int main(void)
{
	int *volatile nowhere = NULL;

	printf("before\n");
	fflush(stdout);
	return *nowhere;
}
