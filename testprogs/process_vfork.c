/*
 * process_vfork [show]: the child of vfork shares the parent's memory. It exits, executes this
 * program with arguments on untouched pages, fails to execute, or dies of a fault.
 *
 * No mark on arm64: vfork() ends lazy paging.
 */
#include "guest.h"

static char first[4 * PAGE], *arguments[3 * PAGE / sizeof(char *)];
static char *environment[3 * PAGE / sizeof(char *)];
static volatile int reported[3 * PAGE / sizeof(int)], written[64][PAGE / sizeof(int)];
static int statuses[10][PAGE / sizeof(int)];
static volatile char pages[100][PAGE], later[100][PAGE];
static const char missing[2 * PAGE] = "/nonexistent/program";

static int finish(pid_t pid, int number)
{
	check("waited", waitpid(pid, &statuses[number][0], 0) == pid);
	return statuses[number][0];
}

static void exits(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		for (int i = 0; i < 64; i++)
			written[i][i] += i;
		_exit(23);
	}
	int total = 0;

	for (int i = 0; i < 64; i++)
		total += written[i][i];
	printf("exits: %#x, written by the child: %d\n", (unsigned)finish(pid, 0), total);
}

static void executes(char *self)
{
	arguments[0] = self;
	arguments[1] = "show";
	arguments[2] = first;
	environment[0] = "NAME=value";
	fflush(stdout);
	pid_t pid = vfork();

	if (pid == 0) {
		execve(self, arguments, environment);
		_exit(127);
	}
	printf("executes: %#x\n", (unsigned)finish(pid, 1));
}

static void fails(int number, const char *path)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execve(path, arguments + PAGE / sizeof(char *), environment);
		reported[PAGE / sizeof(int) + number] = errno;
		_exit(99);
	}
	printf("fails: %#x, ", (unsigned)finish(pid, 2 + number));
	printf("%s\n", strerror(reported[PAGE / sizeof(int) + number]));
}

static void exits_often(void)
{
	static volatile int i, sum;

	for (i = 0; i < 100; i++) {
		pid_t pid = vfork();

		if (pid == 0) {
			pages[i][1] = (char)i;
			_exit(pages[i][1] / 2);
		}
		waitpid(pid, &statuses[8][0], 0);
		sum += WEXITSTATUS(statuses[8][0]) + pages[i][1];
		later[i][0]++;
	}
	printf("exits often: %d\n", sum);
}

static void dies(volatile char *nowhere)
{
	pid_t pid = vfork();

	if (pid == 0) {
		later[50][0] += 50;
		*nowhere = 1;
		_exit(1);
	}
	printf("dies: signal %d\n", WTERMSIG(finish(pid, 9)));
}

int main(int argc, char **argv)
{
	int total = 0;

	if (argc > 1 && strcmp(argv[1], "show") == 0) {
		printf("shown: %d arguments, third is empty %d, %s, one variable %d\n", argc,
		       argv[2][0] == '\0', environ[0], environ[1] == NULL);
		return 42;
	}
	exits();
	exits_often();
	fails(0, missing);
	executes(argv[0]);
	for (int i = 1; i < 5; i++)
		fails(i, missing);
	fails(5, "/");
	dies(NULL);
	for (int i = 0; i < 100; i++)
		total += later[i][0];
	printf("later: %d\n", total);
	exits();
	mark();
}
