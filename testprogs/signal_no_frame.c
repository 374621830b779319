/*
 * signal_no_frame deliver|overflow|return [caught]: a signal's frame has no stack or no room on it,
 * or rt_sigreturn finds no frame. The kernel sends SIGSEGV instead.
 *
 * No mark: it ends in its handler, or by the signal.
 */
#include "guest.h"
#include "machine/machine.h"

static char other_stack[64 * 1024];

static void on_segv(int number, siginfo_t *info, void *context)
{
	printf("signal %d, code %d\n", number, info->si_code);
	fflush(stdout);
	_exit(7);
}

/* Again, with the stack pointer near the end of the alternate stack. */
static void on_signal(int number)
{
	call_on(other_stack + 512, SYS_kill, getpid(), SIGUSR1);
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "deliver", "overflow", "return");
	const stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof(other_stack)};
	struct sigaction on_usr1 = {.sa_handler = on_signal, .sa_flags = SA_NODEFER};

	sigaltstack(&stack, NULL);
	if (argc > 2)
		HANDLE_INFO(on_segv, SA_ONSTACK, SIGSEGV);
	if (way[0] == 'o')
		on_usr1.sa_flags |= SA_ONSTACK;
	sigaction(SIGUSR1, &on_usr1, NULL);
	if (way[0] == 'o')
		raise(SIGUSR1);
	call_on((void *)8, way[0] == 'r' ? SYS_rt_sigreturn : SYS_kill, getpid(), SIGUSR1);
	return 9;
}
