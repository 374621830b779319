/*
 * signal_no_frame: there is no stack for a signal's frame, nor a frame to return from; the kernel
 * makes it a SIGSEGV: signal_no_frame deliver|return [caught].
 *
 * No mark: it ends in its handler, or by the signal.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "word.h"

static char other_stack[64 * 1024];

static void on_segv(int number, siginfo_t *info, void *context)
{
	(void)context;
	printf("signal %d, code %d\n", number, info->si_code);
	fflush(stdout);
	_exit(7);
}

static void on_signal(int number)
{
	(void)number;
	_exit(8);
}

/* The call is made with a stack pointer where nothing is. */
static void call_without_stack(long number, long process)
{
	__asm__ volatile("mov %3, %%rsp\n\tsyscall"
			 :
			 : "a"(number), "D"(process), "S"((long)SIGUSR1), "r"(8L)
			 : "rcx", "r11", "memory");
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "deliver", "return");
	const stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof(other_stack)};
	struct sigaction action = {.sa_sigaction = on_segv, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	if (argc > 2) {
		sigaltstack(&stack, NULL);
		sigaction(SIGSEGV, &action, NULL);
	}
	signal(SIGUSR1, on_signal);
	call_without_stack(way[0] == 'd' ? SYS_kill : SYS_rt_sigreturn, getpid());
	return 9;
}
