/* entry, on x86-64: _start calls report(registers, stack). */
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
