/*
 * signal_continue: stops itself and counts how often SIGCONT comes until it has been quiet for a
 * while. Somebody else has to send it.
 *
 * No mark: it waits for somebody else, whom a test has to start.
 */
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t continued;

static void on_continue(int number)
{
	(void)number;
	continued++;
}

int main(void)
{
	struct timespec quiet = {.tv_nsec = 300 * 1000 * 1000};

	signal(SIGCONT, on_continue);
	kill(getpid(), SIGSTOP); /* raise() of musl blocks signals */
	while (nanosleep(&quiet, NULL) != 0)
		;
	printf("SIGCONT came %d times\n", (int)continued);
	return 0;
}
