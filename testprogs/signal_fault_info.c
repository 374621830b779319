/*
 * signal_fault_info: the handler's siginfo and context for the program's own faults: code, address,
 * trap number, error code and cr2. The handler leaves each fault by changing rip.
 */
#include "guest.h"

static char area[8 * 4096] __attribute__((aligned(4096)));
static const char constants[4 * 4096] = {[3 * 4096] = 1};
static uint64_t expected;

/* Bit 0 of the error code is left out: it says whether the page happened to be in memory. */
static void on_fault(int number, siginfo_t *info, void *pointer)
{
	greg_t *registers = ((ucontext_t *)pointer)->uc_mcontext.gregs;

	printf("signal %d, code %d, trap %d, error %#x", number, info->si_code,
	       (int)registers[REG_TRAPNO], (unsigned)registers[REG_ERR] & ~1U);
	if (info->si_addr == NULL)
		printf(", address null");
	else if (number == SIGSEGV)
		printf(", address is right %d", (uint64_t)info->si_addr == expected);
	else
		printf(", address is rip %d", (greg_t)info->si_addr == registers[REG_RIP]);
	if (registers[REG_TRAPNO] == 14)
		printf(", cr2 is right %d", (uint64_t)registers[REG_CR2] == expected);
	puts("");
	registers[REG_RIP] = registers[REG_R12];
}

/* r12: where to go on. The instruction may be a jump that never comes back. */
#define FAULT(what, address, instruction)                                                          \
	do {                                                                                       \
		expected = (uint64_t)(address);                                                    \
		printf("%s: ", what);                                                              \
		__asm__ volatile("lea 1f(%%rip), %%r12\n\t" instruction "\n1:"                     \
				 :                                                                 \
				 : "a"(address), "d"(0)                                            \
				 : "r12", "rcx", "cc", "memory");                                  \
	} while (0)

int main(void)
{
	for (int number = SIGILL; number <= SIGSEGV; number++)
		HANDLE_INFO(on_fault, 0, number);
	FAULT("read null", 0L, "movb (%%rax), %%cl");
	FAULT("write near null", 72L, "movb %%cl, (%%rax)");
	FAULT("jump to null", 0L, "jmp *%%rax");
	FAULT("read unmapped", 0x20123L, "movl (%%rax), %%ecx");
	FAULT("read kernel half", 0xffff888000000000UL, "movb (%%rax), %%cl");
	FAULT("read non-canonical", 0x4141414141414141UL, "movb (%%rax), %%cl");
	FAULT("write constants", constants + 2 * 4096 + 5, "movb %%cl, (%%rax)");
	FAULT("write text", (uint64_t)main, "movb %%cl, (%%rax)");
	FAULT("jump to data", area + 100, "jmp *%%rax");
	FAULT("jump to untouched data", area + 3 * 4096 + 100, "jmp *%%rax");
	mprotect(area + 4096, 4096, PROT_NONE);
	mprotect(area + 5 * 4096, 4096, PROT_READ);
	FAULT("read protected", area + 4096 + 17, "movb (%%rax), %%cl");
	FAULT("write protected", area + 4096 + 17, "movb %%cl, (%%rax)");
	FAULT("write read-only", area + 5 * 4096 + 4095, "movb %%cl, (%%rax)");
	FAULT("across into protected", area + 4096, "movq -3(%%rax), %%rcx");
	munmap(area + 6 * 4096, 4096);
	FAULT("read unmapped", area + 6 * 4096 + 1, "movb (%%rax), %%cl");
	FAULT("ud2", 0L, "ud2");
	FAULT("int3", 0L, "int3");
	FAULT("divide", 0L, "xor %%ecx, %%ecx\n\tdiv %%ecx");
	FAULT("privileged", 0L, "hlt");
	FAULT("port", 0L, "inb $0x80, %%al");
	printf("sum %d\n", area[0] + area[7 * 4096] + constants[3 * 4096]);
	mark();
}
