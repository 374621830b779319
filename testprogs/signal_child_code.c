/*
 * signal_child_code NUMBER: the end of a child sends a signal of faults, with the code of that end.
 * The parent computes and has blocked all signals. The signal stays pending and is handled later.
 */
#include "guest.h"

static volatile char untouched[400 * 4096];
static volatile int handled, code;

static void on_signal(int number, siginfo_t *info, void *context)
{
	handled++;
	code = info->si_code;
}

int main(int argc, char **argv)
{
	int number = argc > 1 ? atoi(argv[1]) : SIGBUS;
	volatile int *go =
	    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigset_t all, none, pending;
	siginfo_t end;
	pid_t child;

	HANDLE_INFO(on_signal, 0, number);
	sigfillset(&all);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &all, NULL);
	child = (pid_t)syscall(SYS_clone, number, NULL, NULL, NULL, NULL);
	if (child == 0) {
		while (!*go)
			sched_yield();
		rest(20);
		_exit(3);
	}
	mark();
	*go = 1;
	do {
		spin_for(30000000);
		end.si_pid = 0;
		waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT | WNOHANG | __WALL);
	} while (end.si_pid == 0);
	untouched[200 * 4096]++;
	sigpending(&pending);
	check("pending", sigismember(&pending, number));
	check("handled", handled);
	sigprocmask(SIG_SETMASK, &none, NULL);
	printf("handled %d, code %d\n", handled, code);
	check("ended", waitpid(child, NULL, __WALL) == child);
	return untouched[300 * 4096];
}
