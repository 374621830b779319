/*
 * signal_leftovers: values of earlier events in a signal's context and handler. The last
 * exception's number and address are shown after a breakpoint, in a new thread, and after a refused
 * return from a handler. The program has its own stack segment, and sets the alternate stack that
 * it already has.
 *
 * No mark: modify_ldt ends lazy paging if it is allowed.
 */
#include "guest.h"

#define NOWHERE	     ((volatile char *)0x1230)
#define LDT_SELECTOR 7

/* modify_ldt(2): struct user_desc, whose header musl-gcc does not have. */
#define SEGMENT_32BIT	0x01
#define SEGMENT_PAGES	0x10
#define SEGMENT_USEABLE 0x40

struct segment {
	unsigned entry, base, limit, flags;
};

static volatile char fresh[300][4096];
static volatile unsigned short segment;
static sigjmp_buf before;

static void look(int number)
{
	__asm__ volatile("mov %%ss, %0" : "=r"(segment));
}

static void tell(int number, siginfo_t *info, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	/* Without the lowest bit, which shows whether the page was present (docs/quirks.md). */
	printf("signal %d: trap %lld, error %lld, address %llx\n", number, registers[REG_TRAPNO],
	       registers[REG_ERR] & ~1, registers[REG_CR2]);
	if (number == SIGSEGV)
		siglongjmp(before, 1);
}

/* Floating-point state that is not there: the kernel refuses the return. */
static void spoil(int number, siginfo_t *info, void *context)
{
	((ucontext_t *)context)->uc_mcontext.fpregs = (void *)8;
}

static void *raise_one(void *argument)
{
	raise(SIGUSR1);
	return argument;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO};
	struct segment data = {.limit = 0xfffff,
			       .flags = SEGMENT_32BIT | SEGMENT_PAGES | SEGMENT_USEABLE};
	stack_t same;
	pthread_t thread;

	fresh[7][0] = 1;
	sigaction(SIGTRAP, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	__asm__ volatile("int3");
	if (sigsetjmp(before, 1) == 0)
		*NOWHERE = 1;
	action.sa_sigaction = spoil;
	sigaction(SIGUSR2, &action, NULL);
	fresh[150][0] = 1;
	if (sigsetjmp(before, 1) == 0)
		raise(SIGUSR2);
	pthread_create(&thread, NULL, raise_one, NULL);
	pthread_join(thread, NULL);
	sigaltstack(NULL, &same);
	check("an alternate stack as it is", sigaltstack(&same, NULL) == 0);
	signal(SIGTRAP, look);
	if (syscall(SYS_modify_ldt, 1, &data, sizeof(data)) == 0) {
		__asm__ volatile("mov %0, %%ss" : : "r"((unsigned short)LDT_SELECTOR));
		__asm__ volatile("int3");
		printf("stack segment of a handler: %x\n", segment);
	}
}
