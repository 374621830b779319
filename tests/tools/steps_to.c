/*
 * steps_to ADDRESS COMMAND [ARG]...
 *
 * Runs a command instruction by instruction from exec to an address, in hexadecimal digits, and
 * from there without a tracer. The exit status is the command's; 98 if it did not come there, or
 * if a signal ended it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "tests/tools/traced.h"

int main(int argc, char **argv)
{
	struct user_regs_struct registers = {0};
	unsigned long address;
	int status;
	pid_t child;

	if (argc < 3) {
		fprintf(stderr, "usage: steps_to ADDRESS COMMAND [ARG]...\n");
		return EXIT_USAGE;
	}
	address = strtoul(argv[1], NULL, 16);
	child = start_traced(argv + 2);
	for (;;) {
		if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
			return EXIT_USAGE;
		ptrace(PTRACE_GETREGS, child, 0, &registers);
		if (registers.rip == address)
			break;
		ptrace(PTRACE_SINGLESTEP, child, 0, 0);
	}
	ptrace(PTRACE_DETACH, child, 0, 0);
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return EXIT_USAGE;
	return WEXITSTATUS(status);
}
