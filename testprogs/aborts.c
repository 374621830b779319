/* aborts: abort(), with a line still in the buffer of stdout that must not appear. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	fputs("aborting\n", stderr);
	printf("still in the buffer");
	abort();
}
