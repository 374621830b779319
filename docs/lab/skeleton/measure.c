/*
 * measure COMMAND [ARG]...: runs the command, and prints on standard error what it cost. You need
 * not change this file. The times are those of the whole process, with the exec of the pager.
 *
 *   ./measure guests/build/walk
 *   ./measure ./dpager guests/build/walk
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double milliseconds(struct timeval time)
{
	return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;

	if (argc < 2) {
		fprintf(stderr, "usage: measure COMMAND [ARG]...\n");
		return 125;
	}

	volatile int reason = 0;
	double start = seconds_now();
	/* vfork, not fork: a copy of this process's memory would count in the child's peak. */
	pid_t child = vfork();

	if (child == 0) {
		execvp(argv[1], argv + 1);
		reason = errno; /* the parent's variable: the two share memory */
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child) {
		perror("measure");
		return 125;
	}
	if (reason != 0) {
		fprintf(stderr, "measure: %s cannot be run: %s\n", argv[1], strerror(reason));
		return 127;
	}
	fprintf(stderr, "wall %.3f ms, user %.3f, system %.3f, peak RSS %ld KB, page faults %ld\n",
		(seconds_now() - start) * 1e3, milliseconds(usage.ru_utime),
		milliseconds(usage.ru_stime), usage.ru_maxrss, usage.ru_minflt + usage.ru_majflt);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
