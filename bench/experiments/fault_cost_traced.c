/* System calls of a child that this process traces with ptrace(2). */
#include "bench/experiments/fault_cost.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PTRACE_SYSEMU
#define PTRACE_SYSEMU 31
#endif

#define CALL_STOP (SIGTRAP | 0x80) /* with PTRACE_O_TRACESYSGOOD */

/* Calls without end: the tracer counts them, and ends this when it has seen enough. */
static _Noreturn void be_traced(pid_t tracer)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		reading_fail("ptrace: %s", strerror(errno));
	/* Not raise(), which may make calls after the stop; all of those are intercepted. */
	syscall(SYS_kill, getpid(), SIGSTOP);
	for (;;)
		fault_cost_call_loop(plain_call, SIZE_MAX, tracer);
}

static void wait_for_stop(pid_t tracee, int expected)
{
	int status;

	while (waitpid(tracee, &status, 0) < 0)
		if (errno != EINTR)
			reading_fail("waitpid: %s", strerror(errno));
	/* A tracee that ends instead of stopping has failed, and has said why. */
	if (WIFEXITED(status))
		_exit(0);
	if (!WIFSTOPPED(status) || WSTOPSIG(status) != expected)
		reading_fail("the traced process had status %#x", (unsigned int)status);
}

static void go_on(pid_t tracee, bool emulate)
{
	if (ptrace(emulate ? PTRACE_SYSEMU : PTRACE_SYSCALL, tracee, NULL, NULL) != 0)
		reading_fail("%s: %s", emulate ? "PTRACE_SYSEMU" : "PTRACE_SYSCALL",
			     strerror(errno));
	wait_for_stop(tracee, CALL_STOP);
}

/* Reads the number of the call, which every interceptor needs. */
static void intercept(pid_t tracee, bool emulate)
{
	long number;

	go_on(tracee, emulate);
	number = ptrace(PTRACE_PEEKUSER, tracee, offsetof(struct user_regs_struct, orig_rax), NULL);
	if (number != SYS_getppid)
		reading_fail("the traced process made call %ld", number);
	if (!emulate)
		go_on(tracee, false);
	else if (ptrace(PTRACE_POKEUSER, tracee, offsetof(struct user_regs_struct, rax),
			(long)getpid()) != 0)
		reading_fail("PTRACE_POKEUSER: %s", strerror(errno));
}

static double trace(pid_t tracee, const struct traced_way *way)
{
	uint64_t time;

	wait_for_stop(tracee, SIGSTOP);
	if (ptrace(PTRACE_SETOPTIONS, tracee, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0)
		reading_fail("PTRACE_SETOPTIONS: %s", strerror(errno));
	for (size_t i = 0; i < way->calls / 10; i++)
		intercept(tracee, way->emulate);
	time = reading_now_ns();
	for (size_t i = 0; i < way->calls; i++)
		intercept(tracee, way->emulate);
	return (double)(reading_now_ns() - time) / (double)way->calls;
}

void fault_cost_traced(const struct settings *settings, const void *parameter,
		       struct reading *reading)
{
	const struct traced_way *way = parameter;
	pid_t tracer = getpid(), tracee;
	double time;

	(void)settings;
	if (way->one_cpu)
		reading_stay_here();
	tracee = fork();
	if (tracee < 0)
		reading_fail("fork: %s", strerror(errno));
	if (tracee == 0)
		be_traced(tracer);
	time = trace(tracee, way);
	kill(tracee, SIGKILL);
	waitpid(tracee, NULL, 0);
	reading->value[0] = time;
}
