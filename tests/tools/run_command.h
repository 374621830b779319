/*
 * What the instruments share that run a command and write down how it ended: "exit N", "signal N",
 * or "timeout" for one that was killed because it ran longer than REPORT_STATUS_TIMEOUT seconds
 * (300: a board with a slow processor needs more than a laptop).
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIMIT_NAME "REPORT_STATUS_TIMEOUT"
#define TIMED_OUT  "timeout\n"

static long seconds_allowed(void)
{
	const char *limit = getenv(LIMIT_NAME);

	return limit != NULL ? atol(limit) : 300;
}

/* For the child. COMMAND is searched for as by execvp(3); its argv[0] is COMMAND as given. */
static void execute(char **command, const sigset_t *mask)
{
	const struct rlimit no_core = {0, 0};

	setrlimit(RLIMIT_CORE, &no_core);
	sigprocmask(SIG_SETMASK, mask, NULL);
	/* Hides from COMMAND the variable that sets its time limit. */
	unsetenv(LIMIT_NAME);
	execvp(command[0], command);
	fprintf(stderr, "report_status: %s: %s\n", command[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Blocks SIGCHLD, which wait_for needs; ORIGINAL is the mask for the child. */
static void prepare_to_wait(sigset_t *original)
{
	sigset_t only_child;

	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&only_child);
	sigaddset(&only_child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &only_child, original);
}

/*
 * Kills the child and its descendants, because a shell's children might run forever. Descendants
 * whose parent dies become children of this process.
 */
static void kill_all(pid_t child)
{
	char text[4096], *at, *end;
	FILE *children;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	do {
		children = fopen("/proc/thread-self/children", "re");
		if (children == NULL || fgets(text, sizeof(text), children) == NULL)
			text[0] = '\0';
		if (children != NULL)
			fclose(children);
		for (at = text; strtol(at, &end, 10) > 0; at = end)
			kill((pid_t)strtol(at, NULL, 10), SIGKILL);
	} while (text[0] != '\0' && wait(NULL) > 0);
}

/* False if the child had to be killed. */
static int wait_for(pid_t child, int *status)
{
	struct timespec now, end;
	sigset_t only_child;

	sigemptyset(&only_child);
	sigaddset(&only_child, SIGCHLD);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += seconds_allowed();
	for (;;) {
		if (waitpid(child, status, WNOHANG) == child)
			return 1;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec >= end.tv_sec)
			break;

		const struct timespec rest = {end.tv_sec - now.tv_sec, 0};

		sigtimedwait(&only_child, NULL, &rest);
	}
	kill_all(child);
	return 0;
}

/* Waits for the child; in TEXT is how it ended. */
static void describe_end(pid_t child, char *text, size_t size)
{
	int status = 0;

	if (!wait_for(child, &status))
		snprintf(text, size, TIMED_OUT);
	else if (WIFSIGNALED(status))
		snprintf(text, size, "signal %d\n", WTERMSIG(status));
	else
		snprintf(text, size, "exit %d\n", WEXITSTATUS(status));
}
