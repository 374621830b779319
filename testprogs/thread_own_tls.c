/*
 * thread_own_tls: threads by clone with CLONE_SETTLS: the block that %fs points to is on fresh
 * pages, and the thread's first access to memory is through it. Then it moves %fs elsewhere.
 */
#include "guest.h"

#define STACK (8 * PAGE)
#define FLAGS                                                                                      \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |        \
	 CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_SETTLS)
#define THREADS 4

static unsigned char blocks[2 * THREADS][3 * PAGE] __attribute__((aligned(PAGE)));
static char stacks[THREADS][STACK] __attribute__((aligned(PAGE)));
static volatile int ids[THREADS][PAGE];

/* Adds 7 to the word at %fs:16; sets %fs to r12, by arch_prctl, and adds 9 to that at %fs:24. */
static long start(int which)
{
	register volatile int *word __asm__("r10") = ids[which];
	register unsigned char *block __asm__("r8") = blocks[which] + PAGE;
	register unsigned char *other __asm__("r12") = blocks[THREADS + which] + PAGE;
	long result = SYS_clone;

	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "addq $7, %%fs:16\n\t"
			 "pushq $5\n\t"
			 "mov $0x1002, %%edi\n\t"
			 "mov %%r12, %%rsi\n\t"
			 "mov %[arch_prctl], %%eax\n\t"
			 "syscall\n\t"
			 "addq $9, %%fs:24\n\t"
			 "popq %%rbx\n\t"
			 "addq %%rbx, %%fs:2048\n\t"
			 "xor %%edi, %%edi\n\t"
			 "mov %[exit], %%eax\n\t"
			 "syscall\n"
			 "1:"
			 : "+a"(result)
			 : "D"((long)FLAGS), "S"(stacks[which] + STACK), "d"(word), "r"(word),
			   "r"(block),
			   "r"(other), [arch_prctl] "i"(SYS_arch_prctl), [exit] "i"(SYS_exit)
			 : "rcx", "r11", "rbx", "memory");
	return result;
}

int main(void)
{
	int failed = 0;

	for (int i = 0; i < THREADS; i++)
		failed += start(i) <= 0;
	for (int i = 0; i < THREADS; i++) {
		int id;

		while ((id = ids[i][0]) != 0)
			syscall(SYS_futex, &ids[i][0], 0, id, NULL, NULL, 0);
		printf("%d %d %d\n", blocks[i][PAGE + 16], blocks[THREADS + i][PAGE + 24],
		       blocks[THREADS + i][PAGE + 2048]);
	}
	printf("failed %d\n", failed);
	mark();
}
