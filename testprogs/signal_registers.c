/*
 * signal_registers: general registers, flags and the red zone are unchanged after a handler, which
 * interrupts an instruction or a system call. The direction flag is clear in the handler.
 */
#include "guest.h"

/* Stored to and read from pages that were not touched before. */
uint64_t given[16] __attribute__((aligned(4096)));
struct {
	uint64_t before[1024];
	uint64_t registers[16];
	uint64_t red_zone[16];
	uint64_t after[1024];
} kept;

/* Loads every register from given, fills the red zone, does the work, stores everything in kept. */
void trap_with_registers(void);
void call_with_registers(void);

/* clang-format off */
#define EACH_REGISTER(does) \
	does(0, rbx) does(1, rbp) does(2, rdx) does(3, rsi) does(4, rdi) does(5, r8) \
	does(6, r9) does(7, r10) does(8, r12) does(9, r13) does(10, r14) does(11, r15) does(12, rax)
#define LOAD(n, name) "	mov given+8*" #n "(%rip), %" #name "\n"
#define SAVE(n, name) "	mov %" #name ", kept+8192+8*" #n "(%rip)\n"
#define EACH_PLACE(does) \
	does(1) does(2) does(3) does(4) does(5) does(6) does(7) does(8) \
	does(9) does(10) does(11) does(12) does(13) does(14) does(15) does(16)
#define FILL(n) "	movq $" #n "*1111, -8*" #n "(%rsp)\n"
#define READ(n) "	mov -8*" #n "(%rsp), %rax\n	mov %rax, kept+8320-8+8*" #n "(%rip)\n"
#define FUNCTION(name, does) \
	__asm__(".text\n" #name ":\n" \
		"	push %rbx\n	push %rbp\n	push %r12\n	push %r13\n	push %r14\n" \
		"	push %r15\n" EACH_REGISTER(LOAD) EACH_PLACE(FILL) "	std\n	stc\n" does "\n" \
		"	cld\n	setc kept+8192+8*13(%rip)\n" \
		EACH_REGISTER(SAVE) EACH_PLACE(READ) \
		"	pop %r15\n	pop %r14\n	pop %r13\n	pop %r12\n	pop %rbp\n" \
		"	pop %rbx\n	ret\n")
/* clang-format on */

FUNCTION(trap_with_registers, "	ud2");
FUNCTION(call_with_registers, "	syscall");

static volatile uint64_t flags_in_handler;

static void on_signal(int number, siginfo_t *info, void *pointer)
{
	greg_t *registers = ((ucontext_t *)pointer)->uc_mcontext.gregs;
	uint64_t flags;

	__asm__ volatile("pushfq\n\tpopq %0" : "=r"(flags));
	flags_in_handler = flags;
	if (number == SIGILL)
		registers[REG_RIP] += 2;
	check("saved flags", (registers[REG_EFL] & 0x401) == 0x401);
	__asm__ volatile("xor %%ebx, %%ebx\n\txor %%r12d, %%r12d\n\txor %%r15d, %%r15d"
			 :
			 :
			 : "rbx", "r12", "r13", "r14", "r15", "rsi", "rdi", "r8", "r9", "r10");
}

static void show(const char *what, int registers)
{
	int zone = 1;

	for (uint64_t i = 1; i <= 16; i++)
		zone = zone && kept.red_zone[i - 1] == i * 1111;
	printf("%s\n", what);
	check("registers", memcmp(given, kept.registers, (size_t)registers * 8) == 0);
	check("carry flag", kept.registers[13] == 1);
	check("red zone", zone);
	check("direction flag clear in the handler", (flags_in_handler & 0x400) == 0);
	printf("rax %ld\n", (long)kept.registers[12]);
	memset(&kept, 0, sizeof(kept));
}

int main(void)
{
	HANDLE_INFO(on_signal, 0, SIGILL, SIGUSR1);
	for (int i = 0; i < 13; i++)
		given[i] = 0x0101010101010101UL * (uint64_t)(i + 1);
	trap_with_registers();
	show("instruction", 13);
	given[4] = (uint64_t)getpid();
	given[3] = SIGUSR1;
	given[12] = SYS_kill;
	call_with_registers();
	show("system call with signal", 12);
	given[12] = SYS_getppid;
	flags_in_handler = 0;
	call_with_registers();
	kept.registers[12] = kept.registers[12] == (uint64_t)getppid();
	show("system call", 12);
	mark();
}
