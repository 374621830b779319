/*
 * signal_child: SIGCHLD ignored, with SA_NOCLDWAIT, with SA_NOCLDSTOP, and handled by waiting.
 * Prints which children can be waited for, and what the handler receives.
 */
#include "guest.h"

static struct {
	APART int status;
	APART siginfo_t info;
	APART struct rusage usage;
	APART char end;
} far;

static volatile sig_atomic_t handled, stopped;

static void on_child(int number, siginfo_t *info, void *context)
{
	handled++;
	stopped += info->si_code == CLD_STOPPED;
}

static volatile sig_atomic_t reaped, sum;

static void reap(int number)
{
	int before = errno;

	while (waitpid(-1, &far.status, WNOHANG) > 0) {
		reaped++;
		sum += WIFEXITED(far.status) ? WEXITSTATUS(far.status) : WTERMSIG(far.status);
	}
	errno = before;
}

static pid_t child(int status)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (status < 0)
			raise(-status);
		_exit(status < 0 ? 0 : status);
	}
	return pid;
}

static void none_to_wait_for(const char *what)
{
	for (int i = 0; i < 3; i++)
		child(i);
	printf("%s: %s", what, wait4(-1, &far.status, 0, &far.usage) == -1 ? "none" : "some");
	printf(", %s\n", errno == ECHILD ? "ECHILD" : "another error");
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_child};
	sigset_t only_child = SET_OF(SIGCHLD), before;

	signal(SIGCHLD, SIG_IGN);
	none_to_wait_for("ignored");
	action.sa_flags = SA_SIGINFO | SA_NOCLDWAIT | SA_RESTART;
	sigaction(SIGCHLD, &action, NULL);
	none_to_wait_for("not waited for");
	check("handled", handled > 0);

	/* Stopped and killed: the handler is called for the end only. */
	action.sa_flags = SA_SIGINFO | SA_NOCLDSTOP | SA_RESTART;
	sigaction(SIGCHLD, &action, NULL);
	handled = 0;

	pid_t pid = child(-SIGSTOP);

	waitid(P_PID, (id_t)pid, &far.info, WSTOPPED);
	printf("code %d, status %d\n", far.info.si_code, far.info.si_status);
	check("not handled", handled == 0);
	kill(pid, SIGKILL);
	waitid(P_PID, (id_t)pid, &far.info, WEXITED);
	printf("code %d, status %d, handled %d\n", far.info.si_code, far.info.si_status,
	       (int)handled);

	signal(SIGCHLD, reap);
	sigprocmask(SIG_BLOCK, &only_child, &before);
	for (int i = 0; i < 8; i++)
		child(i % 3 == 2 ? -SIGSEGV : i);
	while (reaped < 8)
		sigsuspend(&before);
	printf("reaped %d, sum %d\n", (int)reaped, (int)sum);
	check("none left", wait(NULL) == -1 && errno == ECHILD);
	mark();
}
