/*
 * signal_no_restart: a read that a signal interrupts whose handler was set without SA_RESTART, or
 * with it. signal_no_restart plain|restart NUMBER
 */
#include "guest.h"
#include "asleep.h"

static volatile char untouched[240 * 4096];
#include "handled.h"

static int ends[2], answers[2];

/*
 * Sends the signal after the read has begun. Then sends the byte that the read waits for, unless
 * the parent reports the end of the read. The byte ends a read that the signal did not end.
 */
static void send(pid_t parent, int number, bool restarts)
{
	struct pollfd answer = {.fd = answers[0], .events = POLLIN};

	if (!see_it_sleep(parent, parent))
		kill(parent, SIGKILL);
	kill(parent, number);
	if (poll(&answer, 1, restarts ? 250 : 20000) == 1)
		_exit(0);
	_exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_signal};
	int number = argc > 2 ? atoi(argv[2]) : SIGSEGV;
	long result;
	pid_t child;
	char byte;

	if (strcmp(WORD(1, "plain", "restart"), "restart") == 0)
		action.sa_flags = SA_RESTART;
	must(pipe(ends) == 0 && pipe(answers) == 0);
	sigaction(number, &action, NULL);
	child = fork_who_looks();
	if (child == 0)
		send(getppid(), number, (action.sa_flags & SA_RESTART) != 0);
	result = read(ends[0], &byte, 1);
	printf("read %ld, error %d, handled %d\n", result, result < 0 ? errno : 0, handled);
	must(write(answers[1], "", 1) == 1);
	printf("child %d\n", end_of(child));
	mark();
	return untouched[100000];
}
