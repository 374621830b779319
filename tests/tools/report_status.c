/*
 * report_status FILE COMMAND [ARG]...
 *
 * Runs COMMAND and writes to FILE how it ended: "exit N", "signal N" or "timeout". A shell's $?
 * cannot tell exit status 139 from death by SIGSEGV. COMMAND is found as execvp(3) does; its
 * argv[0] is COMMAND as given. One that runs longer than REPORT_STATUS_TIMEOUT seconds (60) is
 * killed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void run_command(char **command, const sigset_t *mask)
{
	const struct rlimit no_core = {0, 0};

	setrlimit(RLIMIT_CORE, &no_core);
	sigprocmask(SIG_SETMASK, mask, NULL);
	/* Ours is an instrument: COMMAND must not see that it was told how long it may take. */
	unsetenv("REPORT_STATUS_TIMEOUT");
	execvp(command[0], command);
	fprintf(stderr, "report_status: %s: %s\n", command[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Waits for the child; false if it had to be killed. Needs SIGCHLD blocked. */
static int wait_for(pid_t child, int *status, long seconds)
{
	struct timespec now, end;
	sigset_t only_child;

	sigemptyset(&only_child);
	sigaddset(&only_child, SIGCHLD);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += seconds;
	for (;;) {
		if (waitpid(child, status, WNOHANG) == child)
			return 1;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec >= end.tv_sec)
			break;

		const struct timespec rest = {end.tv_sec - now.tv_sec, 0};

		sigtimedwait(&only_child, NULL, &rest);
	}
	kill(child, SIGKILL);
	waitpid(child, status, 0);
	return 0;
}

int main(int argc, char **argv)
{
	const char *limit = getenv("REPORT_STATUS_TIMEOUT");
	sigset_t only_child, original;
	int status = 0;
	FILE *file = argc > 2 ? fopen(argv[1], "we") : NULL;

	if (!file) {
		fprintf(stderr, "usage: report_status FILE COMMAND [ARG]...\n");
		return 2;
	}
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&only_child);
	sigaddset(&only_child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &only_child, &original);

	pid_t child = fork();

	if (child < 0) {
		perror("report_status: fork");
		return 2;
	}
	if (child == 0)
		run_command(argv + 2, &original);
	if (!wait_for(child, &status, limit ? atol(limit) : 60))
		fprintf(file, "timeout\n");
	else if (WIFSIGNALED(status))
		fprintf(file, "signal %d\n", WTERMSIG(status));
	else
		fprintf(file, "exit %d\n", WEXITSTATUS(status));
	return fclose(file) == 0 ? 0 : 2;
}
