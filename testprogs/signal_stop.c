/*
 * signal_stop: a child is stopped and continued: in nanosleep, which then ends at its time; in
 * read; with a handler of SIGCONT, which interrupts; while it touches new pages; and by its own
 * raise.
 */
#include "guest.h"

static char area[500 * 4096];
static volatile sig_atomic_t continued;
static int ends[2];

static void on_continue(int number)
{
	continued++;
}

static int sleeps(void)
{
	const struct timespec rest = {0, 8000000};

	return nanosleep(&rest, NULL) == 0 ? 1 : 99;
}

static int reads(void)
{
	return read(ends[0], area + 4 * 4096, 4096) == 1 ? 2 : 99;
}

static int is_interrupted(void)
{
	static struct timespec rest = {20, 0}, left;

	signal(SIGCONT, on_continue);
	while (nanosleep(&rest, &left) == 0 || errno != EINTR || left.tv_sec < 10)
		;
	return continued > 0 ? 3 : 99;
}

static int touches(void)
{
	int sum = 0;

	for (int i = 0; i < 500; i++)
		sum += area[i * 4096] + ++area[i * 4096 + i];
	return sum == 500 ? 4 : 99;
}

static int stops_itself(void)
{
	raise(SIGSTOP);
	kill(getpid(), SIGTSTP);
	raise(SIGTTIN);
	return 5;
}

/* Stops the child again and again until it is done, giving it the byte after a while. */
static void stop_and_continue(const char *what, int (*work)(void))
{
	const struct timespec while_running = {0, 300000};
	int status = 0, stops = 0;
	pid_t pid = fork();

	if (pid == 0) {
		/* Ends the child if the parent has been killed. */
		alarm(30);
		_exit(work());
	}
	for (;;) {
		if (work != stops_itself)
			kill(pid, SIGSTOP);
		waitpid(pid, &status, WUNTRACED);
		if (!WIFSTOPPED(status))
			break;
		stops++;
		kill(pid, SIGCONT);
		if (work == reads && stops == 5 && write(ends[1], "x", 1) != 1)
			puts("pipe failed");
		nanosleep(&while_running, NULL);
	}
	printf("%s: exit %d\n", what, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	if (work == stops_itself)
		printf("stopped %d times\n", stops);
}

int main(void)
{
	int status;

	/* A process group that is not orphaned: in an orphaned one SIGTSTP does nothing. */
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		must(pipe(ends) == 0);
		stop_and_continue("sleeps", sleeps);
		stop_and_continue("reads", reads);
		stop_and_continue("is interrupted", is_interrupted);
		stop_and_continue("touches", touches);
		stop_and_continue("stops itself", stops_itself);
		fflush(stdout);
		_exit(0);
	}
	check("all of it", waitpid(pid, &status, 0) == pid && status == 0);
	mark();
}
