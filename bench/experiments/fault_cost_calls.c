/* Times system calls that nothing, or Syscall User Dispatch, stands in the way of. */
#include "bench/experiments/fault_cost.h"
#include "common/kernel_abi.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* Takes what a system call takes, in the order of the C calling convention. */
#define SYSTEM_CALL(name)                                                                          \
	"	.globl	" name "\n"                                                                \
	"	.type	" name ", @function\n" name ":\n"                                          \
	"	mov	%rdi, %rax\n"                                                                        \
	"	mov	%rsi, %rdi\n"                                                                        \
	"	mov	%rdx, %rsi\n"                                                                        \
	"	mov	%rcx, %rdx\n"                                                                        \
	"	mov	%r8, %r10\n"                                                                         \
	"	mov	%r9, %r8\n"                                                                          \
	"	mov	8(%rsp), %r9\n"                                                                      \
	"	syscall\n"                                                                               \
	"	.globl	" name "_return\n" name "_return:\n"                                       \
	"	ret\n"

/*
 * The kernel compares the address after the syscall instruction: so the range ends after one
 * more instruction. The return from the SIGSYS handler is a call too, and has to be allowed.
 */
__asm__(
    "	.pushsection .text\n"
    "	.balign	64\n" SYSTEM_CALL("plain_call") "	.balign	64\n"
						"	.globl	allowed_begin\n"
						"allowed_begin:\n" SYSTEM_CALL(
						    "allowed_call") "	.globl	allowed_restorer\n"
								    "allowed_restorer:\n"
								    "	mov	$15, %eax\n"
								    "	syscall\n"
								    "	ud2\n"
								    "	.globl	allowed_end\n"
								    "allowed_end:\n"
								    "	.popsection\n");

void allowed_restorer(void);

volatile uint8_t dispatch_selector = KERNEL_PR_SYS_DISPATCH_OFF;

/* The kernel has put all registers back to what they were at the syscall instruction. */
static void make_call(int number, void *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)number;
	(void)info;
	registers[REG_RAX] = allowed_call(registers[REG_RAX], registers[REG_RDI],
					  registers[REG_RSI], registers[REG_RDX],
					  registers[REG_R10], registers[REG_R8], registers[REG_R9]);
}

/* Not the C library's sigaction: its restorer would make a call that is not allowed. */
void fault_cost_catch_sigsys(void)
{
	struct kernel_sigaction action = {.handler = make_call,
					  .flags = KERNEL_SA_SIGINFO | KERNEL_SA_RESTORER,
					  .restorer = allowed_restorer};

	if (syscall(SYS_rt_sigaction, SIGSYS, &action, NULL, KERNEL_SIGSET_SIZE) != 0)
		reading_fail("rt_sigaction: %s", strerror(errno));
}

void arm_nothing(const struct call_way *way)
{
	(void)way;
}

/* Dispatch is on, but the selector still lets every call through. */
void arm_selector(const struct call_way *way)
{
	(void)way;
	fault_cost_catch_sigsys();
	if (prctl(KERNEL_PR_SET_SYSCALL_USER_DISPATCH, KERNEL_PR_SYS_DISPATCH_ON, allowed_begin,
		  allowed_end - allowed_begin, &dispatch_selector) != 0)
		reading_fail("Syscall User Dispatch (Linux 5.11): %s", strerror(errno));
}

void arm_blocking(const struct call_way *way)
{
	arm_selector(way);
	dispatch_selector = KERNEL_PR_SYS_DISPATCH_ON;
}

void fault_cost_call_loop(system_call *call, size_t calls, pid_t expected)
{
	for (size_t i = 0; i < calls; i++) {
		long result = call(SYS_getppid, 0, 0, 0, 0, 0, 0);

		if (result != expected)
			reading_fail("getppid gave %ld, not %d", result, (int)expected);
	}
}

void fault_cost_calls(const struct settings *settings, const void *parameter,
		      struct reading *reading)
{
	const struct call_way *way = parameter;
	system_call *call = way->call != NULL ? way->call : plain_call;
	pid_t expected = getppid();
	uint64_t time;

	(void)settings;
	if (way->one_cpu)
		reading_stay_here();
	way->arm(way);
	fault_cost_call_loop(call, way->calls / 10, expected);
	time = reading_now_ns();
	fault_cost_call_loop(call, way->calls, expected);
	time = reading_now_ns() - time;
	dispatch_selector = KERNEL_PR_SYS_DISPATCH_OFF;
	reading->value[0] = (double)time / (double)way->calls;
}
