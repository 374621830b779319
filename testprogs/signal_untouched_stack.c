/*
 * signal_untouched_stack: signals come while the stack pointer is on untouched static pages: in a
 * system call, by an instruction, from a timer. The program continues on that stack.
 */
#include "guest.h"
#include "machine/machine.h"

#define SIZE ((size_t)(24 * 4096))

static char stacks[24][SIZE] __attribute__((aligned(4096)));
static volatile int handled, on_stack;

static int stack_of(const void *address)
{
	uintptr_t offset = (uintptr_t)address - (uintptr_t)stacks;

	return offset < sizeof(stacks) ? (int)(offset / SIZE) : -1;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	/* A timer goes on until it is stopped: the first signal on a stack in question counts. */
	if (number == SIGALRM && (handled || stack_of(info) < 0))
		return;
	on_stack = stack_of(info);
	if (number == SIGILL)
		SAVED_PLACE(context) += ILLEGAL_BYTES;
	handled = number;
}

static void show(const char *what)
{
	printf("%s: handled %d on stack %d\n", what, handled, on_stack);
	handled = 0;
}

static void prints(void)
{
	char local[5000];

	snprintf(local, sizeof(local), "on stack %d", stack_of(local));
	puts(local);
	raise(SIGUSR1);
	show("within a function");
}

#ifdef __GLIBC__
static ucontext_t main_context, other_context;

static void switched(void)
{
	prints();
	swapcontext(&other_context, &main_context);
	raise(SIGUSR1);
	show("second visit");
}

static void switch_contexts(void)
{
	getcontext(&other_context);
	other_context.uc_stack.ss_sp = stacks[20];
	other_context.uc_stack.ss_size = SIZE;
	other_context.uc_link = &main_context;
	makecontext(&other_context, switched, 0);
	swapcontext(&main_context, &other_context);
	raise(SIGUSR1);
	show("first visit done");
	swapcontext(&main_context, &other_context);
	puts("second visit done");
}
#else
static void switch_contexts(void)
{
	run_on(stacks[20] + SIZE, prints);
}
#endif

int main(void)
{
	const struct timespec minute = {60, 0};
	const struct itimerval often = {{0, 2000}, {0, 2000}}, stop = {{0, 0}, {0, 0}};

	HANDLE_INFO(on_signal, 0, SIGUSR1, SIGSEGV, SIGILL, SIGALRM);
	for (int i = 0; i < 8; i++) {
		/* At several places of a page: the frame needs one, two or three of them. */
		char *top = stacks[i] + SIZE - 4096 + i * 584 / 16 * 16;

		call_on(top, SYS_kill, getpid(), i % 2 == 0 ? SIGUSR1 : SIGSEGV);
		show("system call");
		top += 8 * SIZE;
		trap_on(top);
		show("instruction");
	}
	setitimer(ITIMER_REAL, &often, NULL);
	wait_on(stacks[17] + 4096, &handled);
	setitimer(ITIMER_REAL, &stop, NULL);
	show("timer");
	setitimer(ITIMER_REAL, &often, NULL);
	call_on(stacks[18] + SIZE, SYS_nanosleep, (long)&minute, 0);
	setitimer(ITIMER_REAL, &stop, NULL);
	show("timer within a system call");
	run_on(stacks[19] + SIZE, prints);
	switch_contexts();
	mark();
}
