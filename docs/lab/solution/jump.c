/* jump: from the pager into the program. */
#include "jump.h"

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
