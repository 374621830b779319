/* entry: checks the stack pointer and the registers at the first instruction. It has no libc. */

#define REGISTERS 14

/* Saves all registers but rsp, which is passed separately, and r15, which holds rsp meanwhile. */
__asm__(".globl _start\n"
	"_start:\n"
	"	mov %rsp, %r15\n"
	"	push %rax; push %rbx; push %rcx; push %rdx; push %rsi; push %rdi; push %rbp\n"
	"	push %r8; push %r9; push %r10; push %r11; push %r12; push %r13; push %r14\n"
	"	mov %rsp, %rdi\n"
	"	mov %r15, %rsi\n"
	"	and $-16, %rsp\n"
	"	call report\n"
	"	hlt\n");

static long call_kernel(long number, long first, const char *second, long third)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(first), "S"(second), "d"(third)
			 : "rcx", "r11", "memory");
	return result;
}

/* Copies the text to the stack: the kernel cannot read a literal that no pager has brought in. */
static void say(const char *text)
{
	volatile char line[80];
	long length = 0;

	while (text[length] != '\0') {
		line[length] = text[length];
		length++;
	}
	call_kernel(1, 1, (const char *)line, length);
}

__attribute__((used)) static void report(const unsigned long *registers, unsigned long stack)
{
	int used = 0;

	for (int i = 0; i < REGISTERS; i++)
		used += registers[i] != 0;
	say(stack % 16 == 0 ? "stack aligned\n" : "stack not aligned\n");
	say(used == 0 ? "registers zero\n" : "registers not zero\n");
	call_kernel(231, 0, 0, 0);
}
