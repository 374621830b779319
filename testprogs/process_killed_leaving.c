/*
 * process_killed_leaving: a child that shares memory and handlers with its parent is killed while
 * both leave lazy paging. The parent opens a file of procfs to end it. Each round kills a little
 * later. The parent continues.
 *
 * No mark with userfaultfd: in a child made by fork, as each of these parents is, it hides nothing.
 */
#include "guest.h"

enum { STACK = 64 * 1024, HANDLERS = 24, TIMES = 24, NANOSECONDS = 3000 };

struct shared {
	volatile int begun, goes;
	volatile pid_t victim;
};

static struct shared *shared;
static char stack[STACK] __attribute__((aligned(16)));
static volatile char fresh[8 * STACK];

static void handle(int number)
{
}

static void stay_on(int processor)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* Without a system call, so that only a request brings it out of here. */
static _Noreturn int loop(void *argument)
{
	shared->begun = 1;
	for (;;)
		;
}

static _Noreturn void kill_later(long ns)
{
	stay_on(1);
	while (!shared->goes)
		;
	spin_for(ns);
	kill(shared->victim, SIGKILL);
	_exit(0);
}

static _Noreturn void try(long ns)
{
	pid_t killer;

	shared->begun = shared->goes = 0;
	killer = fork();
	if (killer == 0)
		kill_later(ns);
	stay_on(0);
	shared->victim = clone(loop, stack + STACK, CLONE_VM | CLONE_SIGHAND | SIGCHLD, NULL);
	while (!shared->begun)
		sched_yield();
	fresh[STACK] = 1;
	mark();
	shared->goes = 1;
	close(open("/proc/self/maps", O_RDONLY));
	printf("killed by %d\n", WTERMSIG(end_of(shared->victim)));
	fflush(stdout);
	waitpid(killer, NULL, 0);
	_exit(0);
}

int main(void)
{
	shared =
	    mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < HANDLERS; i++)
		signal(SIGRTMIN + i, handle);
	for (int i = 0; i < TIMES; i++) {
		pid_t child = fork();

		if (child == 0)
			try(NANOSECONDS * i);
		waitpid(child, NULL, 0);
	}
}
