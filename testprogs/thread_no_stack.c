/*
 * thread_no_stack: a thread that uses its stack pointer for something else. It brings in pages and
 * makes system calls all the same; no signal comes that would need a stack.
 */
#include "guest.h"

#define PAGES 32
#define FLAGS                                                                                      \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |        \
	 CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

static unsigned char pages[2][PAGES * PAGE];
static FRESH(volatile int word) ids[2];
static volatile long results[2];

/* In each round it reads and writes a page and asks for its parent; the result is their number. */
static void start(int which, long stack)
{
	register int *word __asm__("r10") = (int *)&ids[which].word;
	register unsigned char *place __asm__("r12") = pages[which];
	register volatile long *result __asm__("r13") = &results[which];
	long number = SYS_clone;

	__asm__ volatile(
	    "syscall\n\t"
	    "test %%rax, %%rax\n\t"
	    "jnz 3f\n\t"
	    "xor %%ebx, %%ebx\n\t"
	    "mov $%c[pages], %%ebp\n"
	    "1:\t"
	    "cmpb $0, (%%r12)\n\t"
	    "jne 2f\n\t"
	    "incb 5(%%r12)\n\t"
	    "inc %%rbx\n"
	    "2:\t"
	    "mov %[getppid], %%eax\n\t"
	    "syscall\n\t"
	    "test %%rax, %%rax\n\t"
	    "js 2b\n\t"
	    "add $4096, %%r12\n\t"
	    "dec %%ebp\n\t"
	    "jnz 1b\n\t"
	    "mov %%rsp, %%r14\n\t"
	    "shl $32, %%r14\n\t"
	    "add %%r14, %%rbx\n\t"
	    "mov %%rbx, (%%r13)\n\t"
	    "xor %%edi, %%edi\n\t"
	    "mov %[exit], %%eax\n\t"
	    "syscall\n"
	    "3:"
	    : "+a"(number)
	    : "D"((long)FLAGS), "S"(stack), "d"(word), "r"(word), "r"(place),
	      "r"(result), [pages] "i"(PAGES), [getppid] "i"(SYS_getppid), [exit] "i"(SYS_exit)
	    : "rcx", "r11", "rbx", "rbp", "r14", "memory");
}

int main(void)
{
	/* An address where nothing is, and one that is none. */
	static const long stacks[] = {0x10, -0x7fffffff0};
	int sum = 0;

	for (int i = 0; i < 2; i++) {
		int id;

		start(i, stacks[i]);
		while ((id = ids[i].word) != 0)
			syscall(SYS_futex, &ids[i].word, 0, id, NULL, NULL, 0);
		printf("rounds %d, stack pointer as before %d\n", (int)results[i],
		       results[i] >> 32 == (int)stacks[i]);
	}
	for (int i = 0; i < PAGES; i++)
		sum += pages[0][i * PAGE + 5] + pages[1][i * PAGE + 5];
	printf("sum %d\n", sum);
	mark();
}
