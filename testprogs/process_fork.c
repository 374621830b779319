/*
 * process_fork: parent and child touch fresh pages of .bss, .data and .rodata after the fork, and
 * neither sees what the other writes. The status word is on an untouched page, too.
 */
#include "guest.h"

enum { PAGES = 64 };

static char area[PAGES][PAGE];
static char data[PAGES][PAGE] = {[3] = {1}, [PAGES - 1] = {7, 8, 9}};
static const char constants[PAGES][PAGE] = {[1] = {4}, [PAGES - 1] = {1, 2, 3}};
static FRESH(int word) status;

static int sum(int first, int step)
{
	int total = 0;

	for (int i = first; i < PAGES; i += step)
		for (int j = 0; j < PAGE; j += 1)
			total += area[i][j] + data[i][j] * 3 + constants[i][j] * 5;
	return total;
}

static void fill(int first, int value)
{
	for (int i = first; i < PAGES; i += 4) {
		area[i][i] += (char)value;
		data[i][PAGE - 1 - i] += (char)(value + 1);
	}
}

static int child(void)
{
	printf("child before: %d\n", sum(1, 2));
	fill(0, 3);
	fill(1, 5);
	printf("child after: %d\n", sum(0, 1));
	fflush(stdout);
	return area[1][1] == 5 && area[2][2] == 0 ? 12 : 13;
}

int main(void)
{
	for (int round = 0; round < 4; round++) {
		fflush(stdout);
		pid_t pid = fork();

		if (pid == 0)
			exit(child());
		fill(2, 7);
		/* The parent touches its pages before it waits, and after. */
		area[5][5 + round] = 1;
		check("waited", waitpid(pid, &status.word, 0) == pid);
		printf("status %#x, parent: %d\n", (unsigned)status.word, sum(0, 1));
		status.word = 0;
	}
	printf("every fourth: %d %d %d %d\n", sum(0, 4), sum(1, 4), sum(2, 4), sum(3, 4));
	mark();
}
