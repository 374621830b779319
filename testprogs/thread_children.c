/*
 * thread_children: every thread makes children, by fork, vfork and posix_spawn, all at the same
 * time, while others bring in pages.
 *
 * No mark on arm64: vfork() ends lazy paging.
 */
#include "guest.h"

#include <spawn.h>

#define THREADS 6
#define ROUNDS	4

static unsigned char pages[THREADS][600 * PAGE], childs[THREADS][ROUNDS][8 * PAGE];
static volatile int finished;
static char *program;

static pid_t by_fork(int me, int round, int shared)
{
	pid_t child = shared ? vfork() : fork();

	if (child == 0) {
		int sum = 0;

		for (int i = 0; i < 8; i++)
			sum += ++childs[me][round][i * PAGE];
		_exit(sum);
	}
	return child;
}

static pid_t by_spawn(void)
{
	static char *const arguments[] = {"thread_children", "child", NULL};
	static char *const environment[] = {NULL};
	pid_t child;

	return posix_spawn(&child, program, NULL, NULL, arguments, environment) == 0 ? child : -1;
}

static void *parent(void *pointer)
{
	int me = (int)(long)pointer;
	long sum = 0;

	for (int round = 0; round < ROUNDS; round++) {
		int status = -1;
		pid_t child = me % 3 == 2 ? by_spawn() : by_fork(me, round, me % 3);

		if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
			return (void *)-1L;
		sum += WEXITSTATUS(status) * 100 + childs[me][round][7 * PAGE];
	}
	return (void *)sum;
}

static void *touch(void *pointer)
{
	unsigned char *mine = pages[(long)pointer];
	long sum = 0;

	for (int i = 0; i < 600; i++) {
		mine[i * PAGE]++;
		if (i % 20 == 0)
			getppid();
	}
	while (!finished)
		usleep(500);
	for (int i = 0; i < 600; i++)
		sum += mine[i * PAGE];
	return (void *)sum;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS + 3];

	if (argc > 1)
		return 9;
	program = argv[0];
	for (long i = 0; i < THREADS + 3; i++)
		must(pthread_create(&threads[i], NULL, i < THREADS ? parent : touch,
				    (void *)(i < THREADS ? i : i - THREADS)) == 0);
	for (int i = 0; i < THREADS + 3; i++) {
		finished = i >= THREADS;
		printf("thread %d: %ld\n", i, result_of(threads[i]));
	}
	mark();
}
