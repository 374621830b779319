/* status: ends with 42, by way of exit() and what is registered with atexit(). */
#include <stdio.h>
#include <stdlib.h>

static void last_words(void)
{
	printf("at exit\n");
}

int main(void)
{
	atexit(last_words);
	exit(42);
}
