/*
 * signal_together: SIGSEGV, SIGBUS and SIGSYS, and then others, sent to a process that is stopped:
 * all of them come when it goes on. The argument: "handled", or "blocked" and then unblocked.
 *
 * No mark: a second signal that has to wait ends lazy paging; that none is lost is what it tests.
 */
#include "guest.h"

static volatile char untouched[240 * 4096];
static volatile int counts[32];
static const int numbers[] = {SIGSEGV, SIGBUS, SIGSYS, SIGUSR1, SIGFPE};

enum { COUNT = sizeof(numbers) / sizeof(numbers[0]) };

static void on_signal(int number)
{
	counts[number]++;
}

/* The signals that the parent gets while it is stopped. */
static void send_all(pid_t parent)
{
	int status;

	kill(parent, SIGSTOP);
	for (int i = 0; i < COUNT; i++)
		kill(parent, numbers[i]);
	status = kill(parent, SIGCONT);
	_exit(status != 0);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	int blocked = strcmp(WORD(1, "handled", "blocked"), "blocked") == 0, status;
	sigset_t all;
	pid_t child;

	sigfillset(&action.sa_mask);
	for (int i = 0; i < COUNT; i++)
		sigaction(numbers[i], &action, NULL);
	sigfillset(&all);
	if (blocked)
		sigprocmask(SIG_BLOCK, &all, NULL);
	child = fork();
	if (child == 0)
		send_all(getppid());
	while (waitpid(child, &status, 0) != child)
		;
	if (blocked) {
		sigpending(&all);
		for (int i = 0; i < COUNT; i++)
			printf("%d is pending: %d\n", numbers[i], sigismember(&all, numbers[i]));
		sigfillset(&all);
		sigprocmask(SIG_UNBLOCK, &all, NULL);
	}
	for (int i = 0; i < COUNT; i++)
		printf("%d came %d times\n", numbers[i], counts[numbers[i]]);
	return status + untouched[100000];
}
