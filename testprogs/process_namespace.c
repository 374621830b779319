/*
 * process_namespace [unshare]: a child that shares memory and handlers with its parent ends lazy
 * paging in another PID namespace, where the parent has another ID. Prints "denied" if it may make
 * no namespace.
 */
#include "guest.h"

enum { STACK = 64 * 1024 };

static char stack[STACK] __attribute__((aligned(16)));
static volatile char fresh[32 * STACK];
static volatile int done;

static _Noreturn int open_maps(void *argument)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fresh[STACK] = 1;
	close(open("/proc/self/maps", O_RDONLY));
	done = 1;
	for (;;)
		;
}

int main(int argc, char **argv)
{
	int flags = CLONE_VM | CLONE_SIGHAND | SIGCHLD;
	pid_t child;

	mark();
	if (strcmp(WORD(1, "clone", "unshare"), "clone") == 0)
		flags |= CLONE_NEWPID;
	else if (unshare(CLONE_NEWPID) != 0)
		return puts("denied") == EOF;
	child = clone(open_maps, stack + STACK, flags, NULL);
	if (child < 0)
		return puts("denied") == EOF;
	while (!done)
		fresh[2 * STACK] = 1;
	for (int i = 3; i < 32; i++)
		fresh[i * STACK] = 1;
	kill(child, SIGKILL);
	/* Its namespace's end has the kernel ignore SIGCHLD, in the handlers that both share. */
	waitpid(child, NULL, 0);
	puts("done");
}
