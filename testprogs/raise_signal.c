/*
 * raise_signal: sends itself the signal whose number is its argument. SIGSEGV sent by a process,
 * not caused by a fault, must kill like any other.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int number = argc > 1 ? atoi(argv[1]) : SIGTERM;

	printf("raising %d\n", number);
	fflush(stdout);
	raise(number);
	puts("survived");
}
