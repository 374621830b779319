/*
 * signal_actions: rt_sigaction as a raw system call: what was set is reported back as it was set,
 * for every signal; what may not be set is refused. Structures lie on untouched pages.
 */
#include "guest.h"

struct kernel_sigaction {
	void (*handler)(int);
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

static struct {
	char before[4096 + 4080];
	struct kernel_sigaction action;
	char after[4096];
} given[65], found[65];

static const uint64_t all_flags[] = {0,
				     SA_RESTART | 0x04000000,
				     SA_SIGINFO | SA_ONSTACK | 0x04000000,
				     SA_NOCLDSTOP | SA_NODEFER,
				     0xffffffffffffffffUL,
				     0x80000000,
				     0x00000400,
				     0x00000800,
				     0x10000000,
				     0x100000000};

static void handler(int number)
{
}

/* No handler runs. On a processor without restorers this word is the mask, from which the kernel
 * takes SIGKILL and SIGSTOP. */
#define RESTORER ((void (*)(void))0x12300000)

static long act(int number, const void *action, void *old)
{
	return syscall(SYS_rt_sigaction, number, action, old, 8);
}

static void test_number(int number)
{
	struct kernel_sigaction *action = &given[number].action, *old = &found[number].action;

	*action = (struct kernel_sigaction){handler, all_flags[number % 10], RESTORER,
					    0x8182838485868788UL * (uint64_t)number};
	if (act(number, action, NULL) != 0) {
		printf("signal %d: %s\n", number, strerror(errno));
		return;
	}
	act(number, NULL, old);
	printf("signal %d: handler %d, flags %#lx, restorer %d, mask %#lx of %#lx\n", number,
	       old->handler == handler, old->flags, old->restorer == RESTORER, old->mask,
	       action->mask);
	action->handler = number % 2 ? SIG_IGN : (void (*)(int))(uintptr_t)0x123456789;
	if (act(number, action, action) != 0)
		puts("cannot exchange");
	check("exchanged", memcmp(action, old, sizeof(*old)) == 0);
	act(number, NULL, old);
	printf("handler %lx\n", (uint64_t)(uintptr_t)old->handler);
	action->handler = SIG_DFL;
	act(number, action, NULL);
}

/* Whether a fault raises the signal: ignoring such a one ends lazy paging. */
static int is_of_faults(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGSYS;
}

static void refused(const char *what, long result)
{
	printf("%s: %s\n", what, result == 0 ? "done" : strerror(errno));
}

int main(void)
{
	const struct kernel_sigaction ignore = {.handler = SIG_IGN, .flags = SA_RESTART};
	static struct kernel_sigaction old;

	for (int number = 1; number <= 64; number++)
		if (!is_of_faults(number))
			test_number(number);
	mark();
	for (int number = 1; number <= 64; number++)
		if (is_of_faults(number))
			test_number(number);
	refused("signal 0", act(0, &ignore, NULL));
	refused("signal 0 asked for", act(0, NULL, &old));
	refused("signal 65", act(65, &ignore, NULL));
	refused("signal -1", act(-1, NULL, NULL));
	refused("SIGKILL", act(SIGKILL, &ignore, NULL));
	refused("SIGKILL asked for", act(SIGKILL, NULL, &old));
	refused("SIGSTOP", act(SIGSTOP, &ignore, &old));
	refused("nothing", act(SIGSEGV, NULL, NULL));
	refused("SIGKILL, bad pointer", act(SIGKILL, (void *)1, NULL));
	refused("size", syscall(SYS_rt_sigaction, SIGUSR1, &ignore, NULL, 16));
	refused("size, bad pointer", syscall(SYS_rt_sigaction, SIGUSR1, (void *)1, NULL, 4));
	refused("set, bad old", act(SIGSEGV, &ignore, (void *)8));
	act(SIGSEGV, NULL, &old);
	check("set nevertheless", old.handler == SIG_IGN && old.flags == SA_RESTART);
}
