/*
 * signal_altstack: sigaltstack as a raw system call: set, asked for, switched off, refused. Its
 * structures and the stack itself are pages that were never touched.
 */
#include "guest.h"

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1U << 31)
#endif
#define SIZE 65536

static struct {
	APART stack_t new;
	APART stack_t old;
	APART char end;
} far;

static char stack[SIZE], other_stack[SIZE];

static void show(const char *what, long result)
{
	int failed = errno;

	printf("%s: %s", what, result == 0 ? "done" : strerror(failed));
	if (syscall(SYS_sigaltstack, NULL, &far.old) == 0)
		printf("; %s, size %zu, flags %#x\n",
		       far.old.ss_sp == stack	      ? "first stack"
		       : far.old.ss_sp == other_stack ? "other stack"
		       : far.old.ss_sp		      ? "another stack"
						      : "none",
		       far.old.ss_size, (unsigned)far.old.ss_flags);
}

static long set(void *start, size_t size, unsigned flags)
{
	far.new = (stack_t){.ss_sp = start, .ss_size = size, .ss_flags = (int)flags};
	return syscall(SYS_sigaltstack, &far.new, NULL);
}

static void on_signal(int number)
{
	show("in handler", 0);
	show("change it there", set(other_stack, SIZE, 0));
	show("switch it off there", set(NULL, 0, SS_DISABLE));
}

int main(void)
{
	show("at first", 0);
	show("set", set(stack, SIZE, 0));
	show("set again", set(other_stack, SIZE, 0));
	show("SS_ONSTACK means nothing", set(stack, SIZE, SS_ONSTACK));
	show("too small", set(stack, 2047, 0));
	show("empty", set(stack, 0, 0));
	show("switched off, size kept small", set(stack, 1, SS_DISABLE));
	show("unknown flags", set(stack, SIZE, 4));
	show("autodisarm", set(other_stack, SIZE, SS_AUTODISARM));
	show("autodisarm and disabled", set(stack, SIZE, SS_AUTODISARM | SS_DISABLE));
	show("in the middle of nowhere", set((void *)0x1000, SIZE, 0));
	show("in the kernel", set((void *)0xffff888000000000UL, SIZE, 0));

	far.new = (stack_t){.ss_sp = stack, .ss_size = SIZE};
	show("old in place of new", syscall(SYS_sigaltstack, &far.new, &far.new));
	printf("old was in the kernel: %d\n", (long)far.new.ss_sp < 0);

	HANDLE(on_signal, SA_ONSTACK, SIGUSR1);
	raise(SIGUSR1);
	show("after the handler", 0);
	show("off", set(NULL, 0, SS_DISABLE));
	raise(SIGUSR1);
	mark();
}
