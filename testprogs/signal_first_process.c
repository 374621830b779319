/*
 * signal_first_process: the first process of a PID namespace, such as a container's main program,
 * survives a signal of faults that it sends itself, and then touches new pages. Any other process
 * sends none.
 */
#include "guest.h"

static volatile char untouched[240 * PAGE];

int main(void)
{
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGSYS};
	int is_first = getpid() == 1;

	printf("process 1: %s\n", is_first ? "yes" : "no");
	for (int i = 0; i < 3; i++) {
		if (is_first)
			kill(getpid(), numbers[i]);
		untouched[(80 * i + 10) * PAGE] = 1;
		printf("after signal %d\n", numbers[i]);
	}
	mark();
}
