/*
 * process_reap: a handler of SIGCHLD reaps fifty children while the program goes on; statuses and
 * usages come into pages never touched.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mark.h"

enum { CHILDREN = 50, PAGE = 4096 };

static int statuses[CHILDREN][PAGE / sizeof(int)];
static struct {
	struct rusage usage;
	char gap[PAGE];
} usages[CHILDREN];
static volatile char area[2 * CHILDREN][PAGE];
static volatile sig_atomic_t reaped, calls, wrong;

static void on_child(int number, siginfo_t *info, void *context)
{
	int saved = errno, at;

	(void)context;
	wrong += number != SIGCHLD || info->si_signo != SIGCHLD;
	while (at = reaped,
	       at < CHILDREN && wait4(-1, &statuses[at][at], WNOHANG, &usages[at].usage) > 0)
		reaped++;
	calls++;
	errno = saved;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_child, .sa_flags = SA_SIGINFO | SA_RESTART};
	int exited = 0, killed = 0, sum = 0, measured = 0;
	sigset_t blocked, before;

	sigaction(SIGCHLD, &action, NULL);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			area[i][i] = 1;
			area[2 * i][i] = 1;
			if (i % 5 == 0)
				kill(getpid(), SIGKILL);
			_exit(i);
		}
		area[CHILDREN + i][i] = (char)(pid > 0);
	}
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	while (reaped < CHILDREN)
		sigsuspend(&before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	for (int i = 0; i < CHILDREN; i++) {
		exited += WIFEXITED(statuses[i][i]);
		killed += WIFSIGNALED(statuses[i][i]) && WTERMSIG(statuses[i][i]) == SIGKILL;
		sum += WIFEXITED(statuses[i][i]) ? WEXITSTATUS(statuses[i][i]) : 0;
		measured += usages[i].usage.ru_minflt > 0;
	}
	printf("exited %d, killed %d, sum %d, measured %d, wrong %d\n", exited, killed, sum,
	       measured, (int)wrong);
	check("called at least once", calls > 0);
	check("nothing left", wait(NULL) == -1 && errno == ECHILD);
	mark();
	return 0;
}
