/*
 * process_vfork_fault: children by vfork, which run in their parent's memory: what they write to
 * fresh pages the parent sees, also when they die of a fault, and the errno of an exec that failed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mark.h"

#define PAGE   4096
#define ROUNDS 100

static unsigned char pages[ROUNDS * PAGE], later[ROUNDS * PAGE];
static struct {
	char before[PAGE];
	int failed;
	char after[PAGE];
} found;
static volatile pid_t child;
static int status, round_number, sum;

static void show(const char *what)
{
	if (WIFSIGNALED(status))
		printf("%s: signal %d\n", what, WTERMSIG(status));
	else
		printf("%s: exit %d\n", what, WEXITSTATUS(status));
}

static void die(volatile unsigned char *place)
{
	child = vfork();
	if (child == 0) {
		later[50 * PAGE] = 50;
		*place = 1;
		_exit(1);
	}
	waitpid(child, &status, 0);
	show("fault");
}

static void exec(const char *path, const char *self)
{
	found.failed = 0;
	child = vfork();
	if (child == 0) {
		execl(path, self, "child", NULL);
		found.failed = errno;
		_exit(127);
	}
	waitpid(child, &status, 0);
	printf("%s\n", found.failed ? strerror(found.failed) : "no error");
	show("exec");
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return 23;
	for (round_number = 0; round_number < ROUNDS; round_number++) {
		child = vfork();
		if (child == 0) {
			pages[round_number * PAGE + 1] = (unsigned char)round_number;
			_exit(pages[round_number * PAGE + 1] / 2);
		}
		if (waitpid(child, &status, 0) != child)
			return 1;
		sum += WEXITSTATUS(status) + pages[round_number * PAGE + 1];
		later[round_number * PAGE]++;
	}
	printf("sum %d\n", sum);
	exec("/nowhere/at/all", argv[0]);
	exec("/", argv[0]);
	exec(argv[0], argv[0]);
	die(NULL);
	for (int i = 0; i < ROUNDS; i++)
		sum += later[i * PAGE];
	printf("sum %d\n", sum);
	mark();
	return 0;
}
