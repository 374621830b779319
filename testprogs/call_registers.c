/*
 * call_registers: what a `syscall` instruction leaves in rcx and r11: the address after it and the
 * flags, whatever call it was; in a fork's child, too.
 */
#include "guest.h"

#define FLAGS 0xcd5 /* carry, parity, adjust, zero, sign, direction, overflow */

static char area[240 * PAGE] __attribute__((aligned(PAGE)));
static const uint64_t all_but_one[] = {~UINT64_C(1)};
static const struct timespec at_once = {0, 0};

static long call(const char *what, uint64_t flags, long number, long one, long two)
{
	register long four __asm__("r10") = number == SYS_ppoll ? (long)all_but_one : 8;
	long before_four = four, three = number == SYS_ppoll ? (long)&at_once : 0;
	uint64_t rcx, r11, before;
	uint64_t after;
	long result, kept;

	__asm__ volatile(
	    "sub $128, %%rsp\n\t"
	    "push %[flags]\n\tpopf\n\t"
	    "pushf\n\tpop %[before]\n\t"
	    "syscall\n"
	    "1:\tmov %%r11, %[r11]\n\t"
	    "cld\n\t"
	    "lea 1b(%%rip), %[after]\n\t"
	    "add $128, %%rsp"
	    : "=a"(result),
	      "=c"(rcx), [r11] "=&r"(r11), [before] "=&r"(before), [after] "=&r"(after), "+r"(four),
	      "+d"(three)
	    : "0"(number), "D"(one), "S"(two), [flags] "r"(flags)
	    : "r11", "cc", "memory");
	kept = four == before_four;
	printf("%s: rcx %s, r11 %s, r10 %s\n", what, rcx == after ? "right" : "wrong",
	       r11 == before ? "right" : "wrong", kept ? "kept" : "lost");
	return result;
}

int main(void)
{
	pid_t pid;

	call("getppid", 0x202, SYS_getppid, 0, 0);
	call("getppid with flags", 0x202 | FLAGS, SYS_getppid, 0, 0);
	call("clock_gettime", 0x202, SYS_clock_gettime, CLOCK_MONOTONIC, (long)(area + 9 * PAGE));
	call("sigprocmask", 0x203, SYS_rt_sigprocmask, SIG_BLOCK, 0);
	call("sigaltstack", 0x202, SYS_sigaltstack, 0, (long)(area + 19 * PAGE - 8));
	call("ppoll", 0x202, SYS_ppoll, 0, 0);
	fflush(stdout);
	pid = (pid_t)call("fork", 0x202, SYS_fork, 0, 0);
	if (pid == 0) {
		call("in the child", 0x202, SYS_getppid, 0, 0);
		fflush(stdout);
		_exit(0);
	}
	printf("child %d\n", end_of(pid));
	mark();
	call("no such call", 0x203, 9999, 0, 0);
}
