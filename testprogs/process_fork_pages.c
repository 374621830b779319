/*
 * process_fork_pages: parent and child take turns in writing to the same pages, some touched before
 * fork and some not. Neither may see what the other wrote.
 */
#include "guest.h"

#define PAGES 96

static unsigned char fresh[PAGES * PAGE], warm[PAGES * PAGE];
static unsigned char filled[PAGES * PAGE] = {[5] = 1, [70 * PAGE] = 2};
static const unsigned char constants[PAGES * PAGE] = {[9 * PAGE] = 3, [90 * PAGE] = 4};
static int to_child[2], to_parent[2];

static void set_pages(int first, int step, int what)
{
	for (int page = first; page < PAGES; page += step) {
		fresh[page * PAGE + page] += what;
		warm[page * PAGE + page] += what;
		filled[page * PAGE + page] += what;
	}
}

static long sum(const volatile unsigned char *array)
{
	long result = 0;

	for (int i = 0; i < PAGES * PAGE; i++)
		result += array[i];
	return result;
}

static void show(const char *who)
{
	printf("%s: %ld %ld %ld %ld\n", who, sum(fresh), sum(warm), sum(filled), sum(constants));
}

static void next(int end)
{
	if (write(end, "", 1) != 1)
		_exit(1);
}

static void wait_turn(int end)
{
	char byte;

	if (read(end, &byte, 1) != 1)
		_exit(2);
}

static int run_child(void)
{
	set_pages(0, 2, 5);
	next(to_parent[1]);
	wait_turn(to_child[0]);
	set_pages(1, 5, 11);
	next(to_parent[1]);
	wait_turn(to_child[0]);
	show("child");
	return 0;
}

int main(void)
{
	int status = -1;
	pid_t child;

	setvbuf(stdout, NULL, _IOLBF, 0);
	must(pipe(to_child) == 0 && pipe(to_parent) == 0);
	memset(warm, 1, sizeof(warm));
	child = fork();
	if (child == 0)
		_exit(run_child());
	wait_turn(to_parent[0]);
	set_pages(0, 3, 7);
	next(to_child[1]);
	wait_turn(to_parent[0]);
	set_pages(2, 7, 13);
	next(to_child[1]);
	waitpid(child, &status, 0);
	show("parent");
	printf("child's status %#x\n", status);
	mark();
}
