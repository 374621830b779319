/*
 * signal_segments: a handler that makes CS or SS in its context one that cannot be loaded: SIGSEGV,
 * which the program handles and puts right. signal_segments cs|ss SIGNAL
 */
#include "guest.h"

static volatile char untouched[240 * 4096];
static int shift, repaired, first;
static long long right, seen;

/* cs, gs, fs, ss: sixteen bits each. */
static void put(ucontext_t *context, long long selector)
{
	greg_t *all = &context->uc_mcontext.gregs[REG_CSGSFS];

	*all = (greg_t)(((unsigned long long)*all & ~(0xffffULL << shift)) |
			((unsigned long long)selector << shift));
}

static long long get(const ucontext_t *context)
{
	return (long long)((unsigned long long)context->uc_mcontext.gregs[REG_CSGSFS] >> shift &
			   0xffff);
}

static void on_signal(int number, siginfo_t *info, void *pointer)
{
	if (number == SIGSEGV && repaired + first > 0) {
		seen = get(pointer);
		put(pointer, right);
		repaired++;
		return;
	}
	first = 1;
	right = get(pointer);
	put(pointer, 0x1230 | 3);
}

int main(int argc, char **argv)
{
	int number = argc > 2 ? atoi(argv[2]) : SIGUSR1;

	shift = strcmp(WORD(1, "cs", "ss"), "ss") == 0 ? 48 : 0;
	alarm(50);
	HANDLE_INFO(on_signal, 0, SIGSEGV, number);
	kill(getpid(), number);
	printf("right 0x%llx, seen 0x%llx, repaired %d, untouched %d\n", right, seen, repaired,
	       untouched[30000]);
	mark();
}
