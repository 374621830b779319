/*
 * process_fork_tree: five levels of processes with two children each. Each touches pages that no
 * ancestor touched. Each process must see its own marks and its ancestors', and no others.
 */
#include "guest.h"

enum { DEPTH = 5, NODES = 1 << (DEPTH + 1) };

static int marks[NODES][PAGE / sizeof(int)];
static int statuses[NODES][PAGE / sizeof(int)];
static const int primes[NODES][PAGE / sizeof(int)] = {[NODES - 1] = {5}, [1] = {2, 3}};

static int is_ancestor(int node, int of)
{
	while (of > node)
		of /= 2;
	return of == node;
}

/* How many marks are not as they should be in the process of this node. */
static int wrong(int node)
{
	int count = 0;

	for (int i = 1; i < NODES; i++)
		count += marks[i][i] != (is_ancestor(i, node) ? i + primes[i][0] : 0);
	return count;
}

static int grow(int node)
{
	int total = 1;

	marks[node][node] = node + primes[node][0];
	if (node >= NODES / 2)
		return total + (wrong(node) == 0 ? 0 : 100);
	for (int i = 0; i < 2; i++) {
		int *status = &statuses[2 * node + i][node];
		pid_t pid = fork();

		if (pid == 0)
			_exit(grow(2 * node + i));
		if (node % 2 == 0 || i == 1)
			waitpid(pid, status, 0);
	}
	if (node % 2 != 0)
		wait(&statuses[2 * node][node]);
	for (int i = 0; i < 2; i++)
		total += WIFEXITED(statuses[2 * node + i][node])
			     ? WEXITSTATUS(statuses[2 * node + i][node])
			     : 100;
	return total + (wrong(node) == 0 ? 0 : 100);
}

int main(void)
{
	printf("processes: %d\n", grow(1));
	printf("wrong marks: %d\n", wrong(1));
	mark();
}
