/*
 * signal_overflow [exit]: the stack overflows, and a handler on an alternate stack of untouched
 * pages reports it. It continues by siglongjmp, three times, or ends the process.
 */
#include "guest.h"

static FRESH(char bytes[16 * 4096]) stack;

static sigjmp_buf landing;
static uintptr_t top, limit;
static int ends;

static void on_fault(int number, siginfo_t *info, void *context)
{
	char here = 0;

	check("on the alternate stack",
	      (uintptr_t)&here - (uintptr_t)stack.bytes < sizeof(stack.bytes));
	check("address on the stack",
	      (uintptr_t)info->si_addr < top && top - (uintptr_t)info->si_addr < limit + 131072);
	if (ends) {
		fflush(stdout);
		_exit(3);
	}
	siglongjmp(landing, number);
}

static long descend(volatile char *previous, long depth)
{
	volatile char frame[2048];

	frame[0] = (char)(previous[0] + 1);
	if (depth == 0)
		return frame[0];
	return descend(frame, depth - 1) + frame[0];
}

int main(int argc, char **argv)
{
	const stack_t alternate = {.ss_sp = stack.bytes, .ss_size = sizeof(stack.bytes)};
	struct rlimit size;
	volatile char first = 0;

	ends = strcmp(WORD(1, "overflow", "exit"), "exit") == 0;
	getrlimit(RLIMIT_STACK, &size);
	limit = size.rlim_cur;
	top = (uintptr_t)&first + 65536;
	sigaltstack(&alternate, NULL);
	HANDLE_INFO(on_fault, SA_ONSTACK, SIGSEGV);
	for (volatile int i = 0; i < 3; i++) {
		int value = sigsetjmp(landing, 1);

		if (value == 0)
			printf("%ld\n", descend(&first, 1L << 40));
		printf("overflow %d: signal %d\n", i, value);
	}
	printf("not that deep: %ld\n", descend(&first, 100));
	mark();
}
