/*
 * thread_raw_clone: threads without the C library, by clone and clone3. Stacks, thread IDs and the
 * word that the kernel clears at a thread's end are on fresh pages.
 */
#include "guest.h"

#ifndef FUTEX_WAIT
#define FUTEX_WAIT 0
#endif

#define STACK (64 * 1024)
#define FLAGS                                                                                      \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |        \
	 CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

static char stacks[2][STACK] __attribute__((aligned(4096)));
static struct {
	char before[8192];
	volatile int word;
	char after[8192];
} ids[2], results[2];

static void run(int which)
{
	results[which].word = 100 + which;
	syscall(SYS_getppid);
	results[which].after[4096] = (char)which;
}

/*
 * A new thread goes on after the system call with its parent's registers, on an empty stack. Where
 * clone has d as its fifth argument, the fourth is not used without CLONE_SETTLS.
 */
#if defined(__x86_64__)
static long start(long number, void *a, void *b, void *c, void *d, int which)
{
	register void *r10 __asm__("r10") = d;
	register long r12 __asm__("r12") = which;
	register void (*r13)(int) __asm__("r13") = run;
	long result;

	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xor %%ebp, %%ebp\n\t"
			 "and $-16, %%rsp\n\t"
			 "mov %%r12d, %%edi\n\t"
			 "call *%%r13\n\t"
			 "xor %%edi, %%edi\n\t"
			 "mov $60, %%eax\n\t"
			 "syscall\n"
			 "1:"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r12), "r"(r13)
			 : "rcx", "r11", "memory");
	return result;
}
#elif defined(__aarch64__)
static long start(long number, void *a, void *b, void *c, void *d, int which)
{
	register void *x0 __asm__("x0") = a;
	register void *x1 __asm__("x1") = b;
	register void *x2 __asm__("x2") = c;
	register void *x3 __asm__("x3") = d;
	register void *x4 __asm__("x4") = d;
	register long x8 __asm__("x8") = number;
	register long x19 __asm__("x19") = which;
	register void (*x20)(int) __asm__("x20") = run;

	__asm__ volatile("svc #0\n\t"
			 "cbnz x0, 1f\n\t"
			 "mov x29, #0\n\t"
			 "mov w0, w19\n\t"
			 "blr x20\n\t"
			 "mov x0, #0\n\t"
			 "mov x8, #93\n\t"
			 "svc #0\n"
			 "1:"
			 : "+r"(x0)
			 : "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x8), "r"(x19), "r"(x20)
			 : "memory");
	return (long)x0;
}
#else
static long start(long number, void *a, void *b, void *c, void *d, int which)
{
	register void *a0 __asm__("a0") = a;
	register void *a1 __asm__("a1") = b;
	register void *a2 __asm__("a2") = c;
	register void *a3 __asm__("a3") = d;
	register void *a4 __asm__("a4") = d;
	register long a7 __asm__("a7") = number;
	register long s2 __asm__("s2") = which;
	register void (*s3)(int) __asm__("s3") = run;

	__asm__ volatile("ecall\n\t"
			 "bnez a0, 1f\n\t"
			 "mv a0, s2\n\t"
			 "jalr s3\n\t"
			 "li a0, 0\n\t"
			 "li a7, 93\n\t"
			 "ecall\n"
			 "1:"
			 : "+r"(a0)
			 : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7), "r"(s2), "r"(s3)
			 : "memory");
	return (long)a0;
}
#endif

static void wait_for(int which)
{
	int id;

	while ((id = ids[which].word) != 0)
		syscall(SYS_futex, &ids[which].word, FUTEX_WAIT, id, NULL, NULL, 0);
}

int main(void)
{
	struct {
		uint64_t flags, pidfd, child, parent, signal, stack, bytes, tls;
	} arguments = {.flags = FLAGS};
	long id;

	id = start(SYS_clone, (void *)FLAGS, stacks[0] + STACK, (void *)&ids[0].word,
		   (void *)&ids[0].word, 0);
	check("clone", id > 0);
	wait_for(0);
	printf("result %d\n", results[0].word);
	arguments.child = arguments.parent = (uintptr_t)&ids[1].word;
	arguments.stack = (uintptr_t)stacks[1];
	arguments.bytes = STACK;
	id = start(SYS_clone3, &arguments, (void *)sizeof(arguments), NULL, NULL, 1);
	check("clone3", id > 0);
	wait_for(1);
	printf("result %d\n", results[1].word);
	mark();
}
