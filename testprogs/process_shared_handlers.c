/*
 * process_shared_handlers: a child by clone with CLONE_SIGHAND has its parent's handlers, and what
 * it installs is its parent's, too; mask and alternate stack are its own. One with CLONE_VM only
 * has a copy.
 *
 * No mark on arm64: a child that shares the memory ends lazy paging.
 */
#include "guest.h"

#define STACK (16 * PAGE)

static char stacks[3][STACK] __attribute__((aligned(PAGE)));
static char pages[64 * PAGE];
static volatile int first, second;
static unsigned long inherited;

static void on_first(int number)
{
	first += number;
	pages[20 * PAGE] = 1;
}

static void on_second(int number)
{
	second += number;
	pages[40 * PAGE] = 1;
}

/* Makes raw calls: the thread-local storage is the parent's. */
static int change(void *pointer)
{
	pid_t self = (pid_t)syscall(SYS_getpid);
	stack_t now;
	unsigned long none = 0;
	sigset_t set;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, &inherited, 8);
	syscall(SYS_kill, self, SIGUSR1);
	signal(SIGUSR1, on_second);
	signal(SIGUSR2, on_second);
	signal(SIGSEGV, on_second);
	syscall(SYS_kill, self, SIGUSR1);
	syscall(SYS_kill, self, SIGSEGV);
	sigfillset(&set);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, NULL, 8);
	syscall(SYS_sigaltstack, NULL, &now);
	for (int i = 0; i < 64; i++)
		pages[i * PAGE + 1]++;
	return now.ss_flags == SS_DISABLE ? 31 : 32;
}

static void run(const char *what, int flags, char *stack, void (*fault)(int))
{
	int status = -1;
	unsigned long all = ~0UL, none = 0;
	pid_t child;

	first = second = 0;
	signal(SIGUSR1, on_first);
	signal(SIGUSR2, on_first);
	signal(SIGSEGV, fault);
	inherited = 0;
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
	child = clone(change, stack + STACK, flags | SIGCHLD, NULL);
	/* The parent does not sleep: where threads have alternate stacks, lazy paging ends before
	   one sleeps. */
	while (waitpid(child, &status, WNOHANG) == 0)
		sched_yield();
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, 8);
	printf("inherited %#lx\n", inherited);
	printf("%s: status %#x, first %d, second %d\n", what, status, first, second);
	raise(SIGUSR1);
	raise(SIGUSR2);
	kill(getpid(), SIGSEGV); /* raise() blocks all signals */
	printf("then first %d, second %d, blocked %d\n", first, second, is_blocked(SIGTERM));
}

int main(void)
{
	static char alternate[STACK];
	const stack_t own = {.ss_sp = alternate, .ss_size = STACK};

	sigaltstack(&own, NULL);
	run("shared", CLONE_VM | CLONE_SIGHAND, stacks[0], on_first);
	run("copied", CLONE_VM, stacks[1], on_first);
	run("own memory", 0, stacks[2], on_first);
	mark();
	run("shared, ignored", CLONE_VM | CLONE_SIGHAND, stacks[0], SIG_IGN);
	run("copied, ignored", CLONE_VM, stacks[1], SIG_IGN);
	run("own memory, ignored", 0, stacks[2], SIG_IGN);
	printf("%d\n", pages[63 * PAGE + 1]);
}
