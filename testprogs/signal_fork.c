/*
 * signal_fork: a child has its parent's handlers, mask and alternate stack, but none of the pending
 * signals; what it changes is its own.
 */
#include "guest.h"

static char stack[24 * 4096], area[2][100 * 4096];
static volatile sig_atomic_t handled;

static void on_signal(int number)
{
	char local = 0;

	handled = number;
	if (number == SIGSEGV)
		mprotect(area, sizeof(area), PROT_READ | PROT_WRITE);
	printf("handled %d, on the alternate stack %d\n", number,
	       (uintptr_t)&local - (uintptr_t)stack < sizeof(stack));
}

static void show(const char *who)
{
	uint64_t pending = 0;
	stack_t now;

	syscall(SYS_rt_sigpending, &pending, 8);
	syscall(SYS_sigaltstack, NULL, &now);
	printf("%s: mask %#lx, pending %#lx, stack %d, flags %#x\n", who, (unsigned long)mask_now(),
	       (unsigned long)pending, now.ss_sp == stack, (unsigned)now.ss_flags);
}

static int child(int depth)
{
	int sum = 0;

	show("child");
	raise(SIGUSR1);
	raise(SIGUSR2);
	for (int i = 0; i < 100; i++)
		sum += area[depth % 2][i * 4096] + ++area[depth % 2][i * 4096 + depth];
	*(volatile char *)area[1] = 1;
	printf("sum %d\n", sum);
	signal(SIGUSR1, SIG_IGN);
	sigprocmask(SIG_SETMASK, &(sigset_t){0}, NULL);
	show("changed");
	fflush(stdout);
	if (depth == 2)
		return sum;

	pid_t pid = fork();

	if (pid == 0)
		_exit(child(depth + 1));
	printf("grandchild's status %#x\n", end_of(pid));
	fflush(stdout);
	return sum;
}

int main(void)
{
	const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	sigset_t set = SET_OF(SIGUSR1, SIGTERM);
	int status = 0;

	sigaltstack(&alternate, NULL);
	HANDLE(on_signal, SA_ONSTACK, SIGUSR1, SIGUSR2, SIGSEGV);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	show("parent");
	fflush(stdout);

	pid_t pid = fork();

	if (pid == 0)
		_exit(child(1));
	check("waited for", waitpid(pid, &status, 0) == pid);
	printf("child's status %#x, handled %d\n", status, (int)handled);
	show("parent");
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	printf("handled %d\n", (int)handled);
	mark();
}
