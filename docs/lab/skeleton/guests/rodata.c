/* rodata: writes to memory that is there, but read-only. It must die of SIGSEGV. */
#include <stdio.h>

static const int constant = 5;

int main(void)
{
	int *volatile place = (int *)&constant;

	printf("before, %d\n", *place);
	fflush(stdout);
	*place = 6;
	printf("after\n");
	return 0;
}
