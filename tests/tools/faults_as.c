/*
 * faults_as gvisor|uml COMMAND [ARG]...
 *
 * Runs a command, which is told of its faults as by another kernel: gVisor's leaves exception
 * number and error code 0, User Mode Linux's says SEGV_ACCERR about guard markers, too. The exit
 * status is the command's; 128 and the number of the signal that ended it.
 */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "loader/resident/arch/signal_frame.h"
#include "tests/tools/traced.h"

static void deny_access(pid_t child)
{
	siginfo_t info;

	ptrace(PTRACE_GETSIGINFO, child, 0, &info);
	info.si_code = SEGV_ACCERR;
	ptrace(PTRACE_SETSIGINFO, child, 0, &info);
}

/* The child is at its handler's first instruction, and the frame at its stack pointer. */
static void clear_exception(pid_t child)
{
	struct user_regs_struct registers = {0};
	size_t begin = offsetof(struct signal_frame, context.registers);

	ptrace(PTRACE_GETREGS, child, 0, &registers);
	begin += registers.rsp;
	ptrace(PTRACE_POKEDATA, child, begin + offsetof(struct kernel_registers, error_code), 0);
	ptrace(PTRACE_POKEDATA, child, begin + offsetof(struct kernel_registers, trap_number), 0);
}

int main(int argc, char **argv)
{
	int status, passed = 0;
	bool is_uml = argc > 2 && strcmp(argv[1], "uml") == 0, steps = false;
	pid_t child;

	if (argc < 3 || (!is_uml && strcmp(argv[1], "gvisor") != 0)) {
		fprintf(stderr, "usage: faults_as gvisor|uml COMMAND [ARG]...\n");
		return EXIT_USAGE;
	}
	child = start_traced(argv + 2);
	while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
		if (steps)
			clear_exception(child);
		passed = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		steps = passed == SIGSEGV && !is_uml;
		if (passed == SIGSEGV && is_uml)
			deny_access(child);
		ptrace(steps ? PTRACE_SINGLESTEP : PTRACE_CONT, child, 0, passed);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
