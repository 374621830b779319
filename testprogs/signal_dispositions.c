/*
 * signal_dispositions: what each of the 64 signals would do at entry, and the signal mask. Exec
 * keeps ignored signals and the mask, and resets caught ones. Signal numbers given as arguments are
 * left out. Raw system calls, since the libc hides the signals that it keeps for itself.
 */
#include "guest.h"

struct kernel_sigaction {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static int is_left_out(int number, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (atoi(argv[i]) == number)
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	for (int number = 1; number <= 64; number++) {
		struct kernel_sigaction action = {0};
		const char *does = "caught";

		if (is_left_out(number, argc, argv))
			continue;
		if (syscall(SYS_rt_sigaction, number, NULL, &action, sizeof(action.mask)) != 0)
			does = "unknown";
		else if (action.handler == SIG_DFL)
			does = "default";
		else if (action.handler == SIG_IGN)
			does = "ignored";
		printf("signal %d: %s, flags %#lx, mask %#lx\n", number, does, action.flags,
		       (unsigned long)action.mask);
	}
	printf("signal mask %#lx\n", (unsigned long)mask_now());
	mark();
}
