/*
 * call_futex: futexes on untouched pages, with timeouts on such pages. Threads wake and requeue the
 * waiters. The kernel writes to such a page when a thread ends.
 * No mark on arm64: a child that shares the memory ends lazy paging.
 */
#include "guest.h"
#include "show.h"

#define OWN_futex_waitv 449

enum { WAIT = 0, WAKE = 1, REQUEUE = 3, CMP_REQUEUE = 4, WAKE_OP = 5, LOCK_PI = 6, UNLOCK_PI = 7 };

struct waiter {
	uint64_t value, address;
	uint32_t flags, reserved;
};

static char area[512 * PAGE] __attribute__((aligned(PAGE)));
static const struct timespec soon __attribute__((aligned(PAGE))) = {0, 1000000};
static const struct timespec late __attribute__((aligned(PAGE))) = {20, 0};
static const int constant[2 * PAGE] __attribute__((aligned(PAGE))) = {[PAGE] = 5};

static long futex(const void *word, int what, uint64_t value, const void *time, void *second,
		  uint64_t third)
{
	return syscall(SYS_futex, word, what, value, time, second, third);
}

static void *sleeper(void *word)
{
	return (void *)(futex(word, WAIT, 0, &late, NULL, 0) == 0 ? 1L : 0L);
}

static void threads(int *first, int *second)
{
	pthread_t sleepers[8];
	long moved = 0, woken = 0;

	for (int i = 0; i < 8; i++)
		pthread_create(&sleepers[i], NULL, sleeper, first);
	while (moved < 6) {
		moved += futex(first, REQUEUE, 0, (void *)(6 - moved), second, 0);
		sched_yield();
	}
	printf("moved %ld\n", moved);
	while (woken < 8)
		woken += futex(first, WAKE, 100, NULL, NULL, 0) +
			 futex(second, WAKE, 100, NULL, NULL, 0);
	moved = 0;
	for (int i = 0; i < 8; i++)
		moved += result_of(sleepers[i]);
	printf("woken %ld, %ld\n", woken, moved);
}

/*
 * A child at whose end the kernel clears a word, in memory shared with it. musl's clone() refuses
 * that; and no function may return in between, for the child is on our stack.
 */
#if defined(__x86_64__)
static long clone_and_end(unsigned long flags, int *parent, int *cleared)
{
	register int *r10 __asm__("r10") = cleared;
	long child;

	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "mov $60, %%eax\n\t" /* exit */
			 "xor %%edi, %%edi\n\t"
			 "syscall\n"
			 "1:"
			 : "=a"(child)
			 : "a"(SYS_clone), "D"(flags), "S"(0L), "d"(parent), "r"(r10)
			 : "rcx", "r11", "memory");
	return child;
}
#elif defined(__aarch64__)
static long clone_and_end(unsigned long flags, int *parent, int *cleared)
{
	register long x0 __asm__("x0") = (long)flags;
	register long x1 __asm__("x1") = 0;
	register int *x2 __asm__("x2") = parent;
	register long x3 __asm__("x3") = 0;
	register int *x4 __asm__("x4") = cleared;
	register long x8 __asm__("x8") = SYS_clone;

	__asm__ volatile("svc #0\n\t"
			 "cbnz x0, 1f\n\t"
			 "mov x8, #93\n\t" /* exit */
			 "svc #0\n"
			 "1:"
			 : "+r"(x0), "+r"(x8)
			 : "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "memory");
	return x0;
}
#else
static long clone_and_end(unsigned long flags, int *parent, int *cleared)
{
	register long a0 __asm__("a0") = (long)flags;
	register long a1 __asm__("a1") = 0;
	register int *a2 __asm__("a2") = parent;
	register long a3 __asm__("a3") = 0;
	register int *a4 __asm__("a4") = cleared;
	register long a7 __asm__("a7") = SYS_clone;

	__asm__ volatile("ecall\n\t"
			 "bnez a0, 1f\n\t"
			 "li a7, 93\n\t" /* exit */
			 "ecall\n"
			 "1:"
			 : "+r"(a0), "+r"(a7)
			 : "r"(a1), "r"(a2), "r"(a3), "r"(a4)
			 : "memory");
	return a0;
}
#endif

static void cleared(void)
{
	int *cleared = (int *)(area + 320 * PAGE), *parent = (int *)(area + 330 * PAGE), value;
	long child = clone_and_end(CLONE_VM | CLONE_VFORK | CLONE_CHILD_CLEARTID |
				       CLONE_CHILD_SETTID | CLONE_PARENT_SETTID,
				   parent, cleared);

	while (child > 0 && (value = __atomic_load_n(cleared, __ATOMIC_ACQUIRE)) != 0)
		futex(cleared, WAIT, (uint64_t)value, &soon, NULL, 0);
	printf("%d, %d\n", child > 0, *parent == child);
}

int main(void)
{
	struct waiter *waiters = (struct waiter *)(area + 200 * PAGE - 12);
	struct timespec *time = (struct timespec *)(area + 210 * PAGE - 8);

	show("wake", futex(area + 10 * PAGE, WAKE, 1, NULL, NULL, 0));
	show("other value", futex(area + 20 * PAGE, WAIT, 1, NULL, NULL, 0));
	show("no time", futex(area + 30 * PAGE, WAIT, 0, area + 40 * PAGE - 8, NULL, 0));
	show("soon", futex(area + 50 * PAGE + 4092, WAIT, 0, &soon, NULL, 0));
	show("constant", futex(constant + PAGE, WAIT, 5, &soon, NULL, 0));
	show("misaligned", futex(area + 60 * PAGE - 2, WAIT, 0, &soon, NULL, 0));
	show("requeue", futex(area + 70 * PAGE, CMP_REQUEUE, 1, (void *)1, area + 80 * PAGE, 0));
	show("wake op", futex(area + 90 * PAGE, WAKE_OP, 1, (void *)1, area + 100 * PAGE, 7 << 12));
	printf("%d\n", *(int *)(area + 100 * PAGE));
	show("lock", futex(area + 110 * PAGE, LOCK_PI, 0, area + 120 * PAGE - 8, NULL, 0));
	printf("%d\n", *(int *)(area + 110 * PAGE) == (int)syscall(SYS_gettid));
	show("unlock", futex(area + 110 * PAGE, UNLOCK_PI, 0, NULL, NULL, 0));
	show("null", futex(NULL, WAIT, 0, NULL, NULL, 0));
	for (int i = 0; i < 3; i++)
		waiters[i] = (struct waiter){0, (uintptr_t)area + (250 + i) * PAGE, 2, 0};
	clock_gettime(CLOCK_MONOTONIC, time);
	show("several", syscall(OWN_futex_waitv, waiters, 3, 0, time, CLOCK_MONOTONIC));
	waiters[2].value = 1;
	show("several", syscall(OWN_futex_waitv, waiters, 3, 0, time, CLOCK_MONOTONIC));
	cleared();
	threads((int *)(area + 130 * PAGE), (int *)(area + 140 * PAGE));
	mark();
}
