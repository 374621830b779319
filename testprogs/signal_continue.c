/*
 * signal_continue [ARGUMENT]: stops itself and counts SIGCONT until none has come for a while. The
 * test sends it; with an argument, a child sends it repeatedly.
 *
 * No mark: it waits for another process, which a test has to start.
 */
#include "guest.h"

static volatile sig_atomic_t continued;

static void on_continue(int number)
{
	continued++;
}

static int be_continued(void)
{
	pid_t self = getpid(), child = fork();

	while (child == 0 && getppid() == self) {
		usleep(50 * 1000);
		kill(self, SIGCONT);
	}
	if (child == 0)
		return 1;
	kill(self, SIGSTOP);
	kill(child, SIGKILL);
	wait(NULL);
	puts("it goes on");
	return 0;
}

int main(int argc, char **argv)
{
	struct timespec quiet = {.tv_nsec = 300 * 1000 * 1000};

	if (argc > 1)
		return be_continued();

	signal(SIGCONT, on_continue);
	kill(getpid(), SIGSTOP); /* raise() of musl blocks signals */
	while (nanosleep(&quiet, NULL) != 0)
		;
	printf("SIGCONT came %d times\n", (int)continued);
}
