/*
 * signal_trap_flag: single steps, over instructions, a system call and the first touch of a page:
 * one SIGTRAP after each, and none elsewhere.
 */
#include "guest.h"

#define STEPS 100

static char area[240 * 4096] __attribute__((aligned(4096)));
static long places[STEPS], start;
static int count;

static void on_trap(int number, siginfo_t *info, void *pointer)
{
	const ucontext_t *context = pointer;

	if (count < STEPS)
		places[count] = context->uc_mcontext.gregs[REG_RIP];
	count++;
}

static void show(const char *what)
{
	printf("%s: %d at", what, count);
	for (int i = 0; i < count && i < STEPS; i++)
		if (places[i] >= start && places[i] < start + 100)
			printf(" %ld", places[i] - start);
		else
			printf(" elsewhere");
	puts("");
	count = 0;
}

/* Set and cleared by popf: the trap comes one instruction later. */
#define STEP(what, instructions, ...)                                                              \
	do {                                                                                       \
		__asm__ volatile("sub $128, %%rsp\n\t"                                             \
				 "lea 1f(%%rip), %%r12\n\t"                                        \
				 "mov %%r12, %0\n\t"                                               \
				 "pushf\n\torl $0x100, (%%rsp)\n\tpopf\n"                          \
				 "1:\tnop\n\t" instructions "\n\tnop\n\t"                          \
				 "pushf\n\tandl $~0x100, (%%rsp)\n\tpopf\n\t"                      \
				 "add $128, %%rsp"                                                 \
				 : "=m"(start)                                                     \
				 : __VA_ARGS__                                                     \
				 : "rax", "rcx", "r11", "r12", "cc", "memory");                    \
		show(what);                                                                        \
	} while (0)

int main(void)
{
	HANDLE_INFO(on_trap, 0, SIGTRAP);
	STEP("nothing", "", "r"(0));
	STEP("touch", "movb $1, (%1)", "r"(area + 20 * 4096));
	mark();
	STEP("call", "mov %1, %%eax\n\tsyscall", "i"(SYS_getppid));
	STEP("call that is answered", "mov %1, %%eax\n\tsyscall", "i"(SYS_rt_sigprocmask), "D"(-1),
	     "S"(0), "d"(0));
	STEP("two calls", "mov %1, %%eax\n\tsyscall\n\tmov %1, %%eax\n\tsyscall", "i"(SYS_getppid));
}
