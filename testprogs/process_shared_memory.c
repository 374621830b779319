/*
 * process_shared_memory: children by clone that share the memory but are processes. All of them and
 * the parent write their own bytes into the same fresh pages at once, on stacks of fresh pages.
 *
 * No mark on arm64: a child that shares the memory ends lazy paging.
 */
#include "guest.h"

#define PAGES	 64
#define CHILDREN 8
#define ROUNDS	 4
#define STACK	 (16 * PAGE)

static unsigned char pages[ROUNDS][PAGES * PAGE];
static char stacks[ROUNDS][CHILDREN][STACK] __attribute__((aligned(PAGE)));
static volatile int go[ROUNDS], round_number;

static int write_bytes(void *pointer)
{
	int me = (int)(long)pointer, round = round_number;

	while (!go[round])
		sched_yield();
	for (int page = 0; page < PAGES; page++) {
		for (int at = me; at < PAGE; at += 16)
			pages[round][page * PAGE + at] = (unsigned char)(me + 1);
		if (page % 16 == me)
			syscall(SYS_getppid);
	}
	return me + 10;
}

int main(void)
{
	int wrong = 0;

	for (; round_number < ROUNDS; round_number++) {
		pid_t children[CHILDREN];

		for (long i = 0; i < CHILDREN; i++)
			children[i] = clone(write_bytes, stacks[round_number][i] + STACK,
					    CLONE_VM | SIGCHLD, (void *)i);
		go[round_number] = 1;
		write_bytes((void *)(long)CHILDREN);
		for (int i = 0; i < CHILDREN; i++) {
			int status = -1;

			must(waitpid(children[i], &status, 0) == children[i]);
			wrong += !WIFEXITED(status) || WEXITSTATUS(status) != i + 10;
		}
		for (int i = 0; i < PAGES * PAGE; i++) {
			int writer = i % 16;

			wrong += pages[round_number][i] != (writer <= CHILDREN ? writer + 1 : 0);
		}
	}
	printf("wrong %d\n", wrong);
	mark();
}
