/* jump: from the pager into the program. */
#include "jump.h"

#if defined(__x86_64__)

/* The entry goes below the new stack, from where ret takes it when every register is zero. */
noreturn void jump(uintptr_t entry, void *stack)
{
	__asm__ volatile("mov %0, %%rsp\n"
			 "push %1\n"
			 "xor %%eax, %%eax; xor %%ebx, %%ebx; xor %%ecx, %%ecx; xor %%edx, %%edx\n"
			 "xor %%esi, %%esi; xor %%edi, %%edi; xor %%ebp, %%ebp; xor %%r8d, %%r8d\n"
			 "xor %%r9d, %%r9d; xor %%r10d, %%r10d; xor %%r11d, %%r11d\n"
			 "xor %%r12d, %%r12d; xor %%r13d, %%r13d; xor %%r14d, %%r14d\n"
			 "xor %%r15d, %%r15d\n"
			 "ret\n"
			 :
			 : "r"(stack), "r"(entry)
			 : "memory");
	__builtin_unreachable();
}

#elif defined(__aarch64__)

/* A branch needs a register for the address, and no instruction takes it from the stack. */
noreturn void jump(uintptr_t entry, void *stack)
{
	register uintptr_t address __asm__("x16") = entry;

	__asm__ volatile("mov sp, %0\n"
			 "mov x0, 0; mov x1, 0; mov x2, 0; mov x3, 0; mov x4, 0; mov x5, 0\n"
			 "mov x6, 0; mov x7, 0; mov x8, 0; mov x9, 0; mov x10, 0; mov x11, 0\n"
			 "mov x12, 0; mov x13, 0; mov x14, 0; mov x15, 0; mov x17, 0\n"
			 "mov x18, 0; mov x19, 0; mov x20, 0; mov x21, 0; mov x22, 0; mov x23, 0\n"
			 "mov x24, 0; mov x25, 0; mov x26, 0; mov x27, 0; mov x28, 0; mov x29, 0\n"
			 "mov x30, 0\n"
			 "br x16\n"
			 :
			 : "r"(stack), "r"(address)
			 : "memory");
	__builtin_unreachable();
}

#endif
