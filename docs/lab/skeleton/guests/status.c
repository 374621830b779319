/* status: runs a function registered with atexit(), and exits with 42. */
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
