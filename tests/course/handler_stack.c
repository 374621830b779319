/*
 * handler_stack same|alternate: a pager for a stack. Runs a function on a stack that is not
 * accessible yet. A handler of SIGSEGV permits each page. It runs on that same stack, or on an
 * alternate one.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define PAGE  4096
#define PAGES 16

static char handler_memory[64 * 1024];
static volatile int faults;
static ucontext_t before, lazy;

static void permit(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	faults++;
	mprotect((void *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1)), PAGE,
		 PROT_READ | PROT_WRITE);
}

/* Touches the stack, a page at a time, downwards as stacks grow. */
static void dig(void)
{
	volatile char bytes[8 * PAGE];

	for (int i = 8; i-- > 0;)
		bytes[i * PAGE] = 1;
}

int main(int argc, char **argv)
{
	int alternate = argc > 1 && strcmp(argv[1], "alternate") == 0;
	struct sigaction action = {.sa_sigaction = permit,
				   .sa_flags = SA_SIGINFO | (alternate ? SA_ONSTACK : 0)};
	stack_t stack = {.ss_sp = handler_memory, .ss_size = sizeof(handler_memory)};
	char *area =
	    mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	sigaltstack(&stack, NULL);
	sigaction(SIGSEGV, &action, NULL);
	getcontext(&lazy);
	lazy.uc_stack.ss_sp = area;
	lazy.uc_stack.ss_size = PAGES * PAGE;
	lazy.uc_link = &before;
	makecontext(&lazy, dig, 0);
	/* All but the top page, where makecontext has written. */
	mprotect(area, (PAGES - 1) * PAGE, PROT_NONE);
	printf("handler on %s stack\n", alternate ? "its own" : "the same");
	fflush(stdout);
	swapcontext(&before, &lazy);
	printf("%d faults served\n", faults);
	return 0;
}
