/*
 * machine/machine.h: what guests know about the processor: the place and the result in a signal
 * context, instructions that are illegal, break, jump or return, and work with another stack
 * pointer.
 */
#pragma once

#include <stdint.h>
#include <ucontext.h>

#define SAVED(context) ((ucontext_t *)(context))->uc_mcontext

#if defined(__x86_64__)
#define SAVED_PLACE(context)  SAVED(context).gregs[REG_RIP]
#define SAVED_RESULT(context) SAVED(context).gregs[REG_RAX]
#define ILLEGAL		      "ud2"
#define ILLEGAL_BYTES	      2
#define BREAK		      "int3"
#define CODE_WORD	      uint8_t
#define BREAK_AND_RETURN                                                                           \
	{                                                                                          \
		0xcc, 0xc3                                                                         \
	}
#define BREAK_REPEATS	 0 /* bytes from the place in a context to behind the instruction */
#define RETURN_NUMBER(n) "mov $" #n ", %eax; ret\n"
#define JUMP_TO(name)	 "jmp " name "\n"
#define STACK_IS(stack)	 "mov " stack ", %%rsp\n\t"
#define KEEP_STACK	 "mov %%rsp, %%rbx\n\t"
#define OLD_STACK	 "mov %%rbx, %%rsp"
#define CALL                                                                                       \
	"mov %[number], %%rax\n\tmov %[a], %%rdi\n\tmov %[b], %%rsi\n\tmov %[c], "                 \
	"%%rdx\n\tsyscall\n\t"
#define RUN	"call *%[function]\n\t"
#define WAIT	"1: cmpl $0, (%[flag])\n\tje 1b\n\t"
#define CHANGED "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc", "memory"
#elif defined(__aarch64__)
#define SAVED_PLACE(context)  SAVED(context).pc
#define SAVED_RESULT(context) SAVED(context).regs[0]
#define ILLEGAL		      ".inst 0"
#define ILLEGAL_BYTES	      4
#define BREAK		      "brk #0"
#define CODE_WORD	      uint32_t
#define BREAK_AND_RETURN                                                                           \
	{                                                                                          \
		0xd4200000, 0xd65f03c0                                                             \
	}
#define BREAK_REPEATS	 4
#define RETURN_NUMBER(n) "mov w0, #" #n "; ret\n"
#define JUMP_TO(name)	 "b " name "\n"
#define STACK_IS(stack)	 "mov sp, " stack "\n\t"
#define KEEP_STACK	 "mov x19, sp\n\t"
#define OLD_STACK	 "mov sp, x19"
#define CALL		 "mov x8, %[number]\n\tmov x0, %[a]\n\tmov x1, %[b]\n\tmov x2, %[c]\n\tsvc #0\n\t"
#define RUN		 "blr %[function]\n\t"
#define WAIT		 "1: ldr w0, [%[flag]]\n\tcbz w0, 1b\n\t"
#define CHANGED                                                                                    \
	"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",    \
	    "x14", "x15", "x16", "x17", "x19", "x30", "cc", "memory"
#else
#define SAVED_PLACE(context)  SAVED(context).__gregs[REG_PC]
#define SAVED_RESULT(context) SAVED(context).__gregs[REG_A0]
#define ILLEGAL		      ".4byte 0xc0001073" /* unimp, which has two lengths */
#define ILLEGAL_BYTES	      4
#define BREAK		      "c.ebreak"
#define CODE_WORD	      uint16_t
#define BREAK_AND_RETURN                                                                           \
	{                                                                                          \
		0x9002, 0x8082                                                                     \
	}
#define BREAK_REPEATS	 2
#define RETURN_NUMBER(n) "li a0, " #n "; ret\n"
#define JUMP_TO(name)	 "j " name "\n"
#define STACK_IS(stack)	 "mv sp, " stack "\n\t"
#define KEEP_STACK	 "mv s1, sp\n\t"
#define OLD_STACK	 "mv sp, s1"
#define CALL		 "mv a7, %[number]\n\tmv a0, %[a]\n\tmv a1, %[b]\n\tmv a2, %[c]\n\tecall\n\t"
#define RUN		 "jalr %[function]\n\t"
#define WAIT		 "1: lw t0, (%[flag])\n\tbeqz t0, 1b\n\t"
#define CHANGED                                                                                    \
	"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4", "t5", "t6",  \
	    "s1", "ra", "memory"
#endif

/*
 * Only run_on uses the other stack itself. With the others a signal's frame may be the first there.
 */
static inline void call_on(void *stack, long number, long a, long b)
{
	__asm__ volatile(
	    KEEP_STACK STACK_IS("%[stack]") CALL OLD_STACK
	    :
	    : [stack] "r"(stack), [number] "r"(number), [a] "r"(a), [b] "r"(b), [c] "r"(0L)
	    : CHANGED);
}

static inline void trap_on(void *stack)
{
	__asm__ volatile(KEEP_STACK STACK_IS("%[stack]") ILLEGAL "\n\t" OLD_STACK
			 :
			 : [stack] "r"(stack)
			 : CHANGED);
}

static inline void wait_on(void *stack, volatile int *flag)
{
	__asm__ volatile(KEEP_STACK STACK_IS("%[stack]") WAIT OLD_STACK
			 :
			 : [stack] "r"(stack), [flag] "r"(flag)
			 : CHANGED);
}

static inline void run_on(void *stack, void (*function)(void))
{
	__asm__ volatile(KEEP_STACK STACK_IS("%[stack]") RUN OLD_STACK
			 :
			 : [stack] "r"(stack), [function] "r"(function)
			 : CHANGED);
}
