/*
 * signal_fault_info: the handler's siginfo and context for the program's own faults: code and
 * address, and on x86-64 trap number, error code and cr2. The handler leaves each fault by changing
 * the place.
 */
#include "guest.h"

#include "machine/machine.h"

static char area[8 * 4096] __attribute__((aligned(4096)));
static const char constants[4 * 4096] = {[3 * 4096] = 1};
static uint64_t expected;

#if defined(__x86_64__)
#define KEPT(context) SAVED(context).gregs[REG_R12]
#define GO_ON	      "lea 1f(%%rip), %%r12\n\t"
#define READ_BYTE     "movb (%%rax), %%cl"
#define READ_WORD     "movl (%%rax), %%ecx"
#define READ_ACROSS   "movq -3(%%rax), %%rcx"
#define WRITE_BYTE    "movb %%cl, (%%rax)"
#define JUMP	      "jmp *%%rax"
#define BREAKPOINT    "int3"
#define PRIVILEGED    "hlt"
#define REGISTER      "rax"
#define CHANGED_BY_IT "r12", "rcx", "rdx", "cc", "memory"
#elif defined(__aarch64__)
#define KEPT(context) SAVED(context).regs[19]
#define GO_ON	      "adr x19, 1f\n\t"
#define READ_BYTE     "ldrb w1, [x0]"
#define READ_WORD     "ldr w1, [x0]"
#define READ_ACROSS   "ldur x1, [x0, #-3]"
#define WRITE_BYTE    "strb w1, [x0]"
#define JUMP	      "br x0"
#define BREAKPOINT    "brk #0"
#define PRIVILEGED    "msr ttbr0_el1, x0"
#define REGISTER      "x0"
#define CHANGED_BY_IT "x19", "x1", "memory"
#else
#define KEPT(context) SAVED(context).__gregs[REG_S0 + 10] /* s2 */
#define GO_ON	      "lla s2, 1f\n\t"
#define READ_BYTE     "lb t0, (a0)"
#define READ_WORD     "lw t0, (a0)"
#define READ_ACROSS   "ld t0, -3(a0)"
#define WRITE_BYTE    "sb t0, (a0)"
#define JUMP	      "jr a0"
#define BREAKPOINT    "ebreak"
#define PRIVILEGED    "csrr t0, sstatus"
#define REGISTER      "a0"
#define CHANGED_BY_IT "s2", "t0", "memory"
#endif

/* Bit 0 of the error code is left out: it says whether the page happened to be in memory. */
static void show_machine(void *context)
{
#if defined(__x86_64__)
	greg_t *registers = SAVED(context).gregs;

	printf(", trap %d, error %#x", (int)registers[REG_TRAPNO],
	       (unsigned)registers[REG_ERR] & ~1U);
	if (registers[REG_TRAPNO] == 14)
		printf(", cr2 is right %d", (uint64_t)registers[REG_CR2] == expected);
#endif
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	printf("signal %d, code %d", number, info->si_code);
	if (info->si_addr == NULL)
		printf(", address null");
	else if (number == SIGSEGV)
		printf(", address is right %d", (uint64_t)info->si_addr == expected);
	else
		printf(", address is the place %d",
		       (uint64_t)info->si_addr == (uint64_t)SAVED_PLACE(context));
	show_machine(context);
	puts("");
	SAVED_PLACE(context) = KEPT(context);
}

/* GO_ON keeps where to go on. The instruction may be a jump that never comes back. */
#define FAULT(what, address, instruction)                                                          \
	do {                                                                                       \
		expected = (uint64_t)(address);                                                    \
		printf("%s: ", what);                                                              \
		register uint64_t at __asm__(REGISTER) = expected;                                 \
		__asm__ volatile(GO_ON instruction "\n1:" : "+r"(at) : : CHANGED_BY_IT);           \
	} while (0)

int main(void)
{
	for (int number = SIGILL; number <= SIGSEGV; number++)
		HANDLE_INFO(on_fault, 0, number);
	FAULT("read null", 0L, READ_BYTE);
	FAULT("write near null", 72L, WRITE_BYTE);
	FAULT("jump to null", 0L, JUMP);
	FAULT("read unmapped", 0x8123L, READ_WORD);
	FAULT("read kernel half", 0xffff888000000000UL, READ_BYTE);
	FAULT("read non-canonical", 0x4141414141414141UL, READ_BYTE);
	FAULT("write constants", constants + 2 * 4096 + 5, WRITE_BYTE);
	FAULT("write text", (uint64_t)main, WRITE_BYTE);
	FAULT("jump to data", area + 100, JUMP);
	FAULT("jump to untouched data", area + 3 * 4096 + 100, JUMP);
	mprotect(area + 4096, 4096, PROT_NONE);
	mprotect(area + 5 * 4096, 4096, PROT_READ);
	FAULT("read protected", area + 4096 + 17, READ_BYTE);
	FAULT("write protected", area + 4096 + 17, WRITE_BYTE);
	FAULT("write read-only", area + 5 * 4096 + 4095, WRITE_BYTE);
	FAULT("across into protected", area + 4096, READ_ACROSS);
	munmap(area + 6 * 4096, 4096);
	FAULT("read unmapped", area + 6 * 4096 + 1, READ_BYTE);
	FAULT("illegal", 0L, ILLEGAL);
	FAULT("breakpoint", 0L, BREAKPOINT);
	FAULT("privileged", 0L, PRIVILEGED);
#if defined(__x86_64__)
	FAULT("divide", 0L, "xor %%ecx, %%ecx\n\txor %%edx, %%edx\n\tdiv %%ecx");
	FAULT("port", 0L, "inb $0x80, %%al");
#endif
	printf("sum %d\n", area[0] + area[7 * 4096] + constants[3 * 4096]);
	mark();
}
