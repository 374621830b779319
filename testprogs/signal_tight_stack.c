/*
 * signal_tight_stack: a second frame does not fit on the alternate stack, where a handler runs.
 * Some kernels refuse it, and others write it below the stack.
 */
#include "guest.h"

static char area[4 * 65536] __attribute__((aligned(65536)));
static volatile sig_atomic_t depth;

static void on_signal(int number)
{
	if (++depth < 2)
		raise(number);
}

/* Sets an alternate stack of so many bytes. Fails if the kernel finds it too small for any. */
static bool set_stack(size_t bytes)
{
	const stack_t stack = {.ss_sp = area + 2 * 65536, .ss_size = bytes};

	return syscall(SYS_sigaltstack, &stack, NULL) == 0;
}

static void nest(size_t bytes)
{
	while (!set_stack(bytes))
		bytes += 256;
	HANDLE(on_signal, SA_ONSTACK | SA_NODEFER, SIGUSR1);
	raise(SIGUSR1);
	_exit(depth);
}

int main(void)
{
	for (size_t bytes = 2048; bytes <= 65536; bytes *= 32) {
		pid_t child = fork();

		if (child == 0)
			nest(bytes);
		printf("%zu bytes or more: status %#x\n", bytes, end_of(child));
	}
	mark();
}
