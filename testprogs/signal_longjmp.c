/*
 * signal_longjmp: siglongjmp out of handlers thousands of times: from raised signals and faults, on
 * the ordinary and an alternate stack, with the mask restored and without.
 */
#include "guest.h"

#define ROUNDS 1000

static char stack[16 * 4096];
static char written[2 * ROUNDS];
static sigjmp_buf landings[2];

static void on_signal(int number)
{
	siglongjmp(landings[number == SIGSEGV], number);
}

static long jump_out(int number, int save_mask)
{
	volatile long sum = 0;

	for (volatile int i = 0; i < ROUNDS; i++) {
		int value = sigsetjmp(landings[number == SIGSEGV], save_mask);

		if (value == 0) {
			if (number == SIGSEGV)
				*(volatile char *)8 = 1;
			raise(number);
		}
		sum += value * i;
		written[2 * i] += (char)i;
	}
	return sum;
}

int main(void)
{
	for (int flags = 0; flags < 4; flags++) {
		struct sigaction action = {.sa_handler = on_signal};
		const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
		int save_mask = flags & 1;
		long sum = 0;

		if (flags & 2) {
			sigaltstack(&alternate, NULL);
			action.sa_flags |= SA_ONSTACK;
		}
		/* A jump that leaves the mask as it is must not need it restored. */
		if (!save_mask)
			action.sa_flags |= SA_NODEFER;
		sigaction(SIGUSR1, &action, NULL);
		sigaction(SIGSEGV, &action, NULL);
		printf("flags %d: %ld", flags, jump_out(SIGUSR1, save_mask));
		printf(" %ld", jump_out(SIGSEGV, save_mask));
		for (int i = 0; i < 2 * ROUNDS; i++)
			sum += written[i];
		printf(", written %ld, blocked %d %d\n", sum, is_blocked(SIGUSR1),
		       is_blocked(SIGSEGV));
	}
	mark();
}
