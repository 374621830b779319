/*
 * process_killed_child WHAT [NANOSECONDS]: children that share memory, or "handlers" as well, are
 * killed: before they begin, or so long after that, while they touch fresh pages. Their parent goes
 * on.
 *
 * No mark on arm64: a child that shares the memory ends lazy paging.
 */
#include "guest.h"

enum { STACK = 4 * PAGE, CHILDREN = 8, PAGES = 512 };

static char stacks[CHILDREN][STACK] __attribute__((aligned(PAGE)));
static volatile char pages[CHILDREN + 1][PAGES * PAGE];

static _Noreturn int touch(void *argument)
{
	volatile char *mine = argument;

	/* 17 is no divisor of PAGES: each page is touched. */
	for (int i = 0; mine != NULL; i = (i + 17) % PAGES)
		mine[i * PAGE] = 1;
	for (;;)
		syscall(SYS_getppid);
}

int main(int argc, char **argv)
{
	int flags = CLONE_VM | SIGCHLD |
		    (strcmp(WORD(1, "memory", "handlers"), "handlers") == 0 ? CLONE_SIGHAND : 0);
	long step = argc > 2 ? atol(argv[2]) : 0;
	pid_t children[CHILDREN];

	for (int i = 0; i < CHILDREN; i++) {
		children[i] =
		    clone(touch, stacks[i] + STACK, flags, step == 0 ? NULL : (void *)pages[i]);
		spin_for(step * i);
		kill(children[i], SIGKILL);
	}
	for (int i = 0; i < PAGES; i += 17)
		pages[CHILDREN][i * PAGE] = 1;
	for (int i = 0; i < CHILDREN; i++)
		printf("killed by %d\n", WTERMSIG(end_of(children[i])));
	mark();
}
