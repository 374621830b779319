/*
 * signal_paging_masked: untouched pages appear while every signal is blocked or ignored, and in a
 * handler that blocks them all, for the program and for system calls.
 */
#include "guest.h"

#define PAGES 40

static char zeros[5][PAGES * PAGE];
static const char sevens[PAGES * PAGE] = {[0 ... PAGES * PAGE - 1] = 7};
static int ends[2];
static long sum;

static void use(int which)
{
	char *area = zeros[which];

	for (int i = 0; i < PAGES; i += 2) {
		size_t at = (size_t)(i * PAGE + (i * 97 + which) % PAGE);

		sum += area[at] + sevens[at];
		area[at] += sevens[at];
		sum += write(ends[1], sevens + at, PAGE / 2);
		sum += read(ends[0], area + at + PAGE / 2, PAGE / 2);
		sum += area[at + PAGE / 2 + 5];
	}
	printf("use %d: %ld\n", which, sum);
}

static void on_signal(int number)
{
	use(number == SIGSEGV ? 3 : 4);
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigset_t all, before;
	int status;

	must(pipe(ends) == 0);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	use(0);
	check("SIGSEGV still blocked", is_blocked(SIGSEGV));

	fflush(stdout);

	pid_t pid = fork();

	if (pid == 0) {
		sum = 0;
		use(1);
		fflush(stdout);
		_exit(17);
	}
	check("waited for", waitpid(pid, &status, 0) == pid);
	check("child's end", WIFEXITED(status) && WEXITSTATUS(status) == 17);
	sigprocmask(SIG_SETMASK, &before, NULL);
	mark();

	signal(SIGSEGV, SIG_IGN);
	signal(SIGBUS, SIG_IGN);
	signal(SIGSYS, SIG_IGN);
	use(2);

	sigfillset(&action.sa_mask);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGSEGV);
	raise(SIGUSR1);
}
