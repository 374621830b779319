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

/* A new thread goes on after the system call with its parent's registers, on an empty stack. */
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
