/*
 * signal_fault_storm NUMBER: a child sends a signal that usually means a fault, thousands of times,
 * while the program makes system calls and touches new pages. No call may be lost.
 *
 * No mark: in a storm a signal of faults sometimes has to wait, which ends lazy paging.
 */
#include "guest.h"
#include "handled.h"

static char fresh[256][4096];

int main(int argc, char **argv)
{
	int number = argc > 1 ? atoi(argv[1]) : SIGSYS, status;
	pid_t self = getpid(), child;
	long wrong = 0;

	HANDLE(on_signal, SA_RESTART, number);
	child = fork();
	if (child == 0) {
		for (int i = 0; i < 2000; i++)
			kill(self, number);
		_exit(0);
	}
	for (int i = 0; i < 20000; i++) {
		wrong += syscall(SYS_getpid) != self;
		if (i % 100 == 0)
			wrong += fresh[i / 100][7]++ != 0;
	}
	check("the child is waited for", waitpid(child, &status, 0) == child);
	check("it ended well", status == 0);
	check("signals came", handled > 0);
	printf("wrong %ld\n", wrong);
}
