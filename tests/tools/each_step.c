/*
 * each_step NUMBER STRIDE COMMAND [ARG]...
 *
 * Runs a command again and again. Between two breakpoint instructions that it has (int3), it goes
 * step by step; after the first, the second... of them, one further each time by STRIDE, it is
 * sent the signal, and runs to its end, told of a step that nobody has asked for. Prints how many
 * places there were, and each one at which its exit status was not 0. Exit status 1 if there was
 * one.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_IN_EXEC 97
#define EXIT_USAGE   98

/* One run: what is done with its stops. */
struct run {
	pid_t child;
	int number;
	long left;	 /* steps to the one at which the signal is sent; below 0: no more */
	int breakpoints; /* passed */
	unsigned long place;
	bool ended; /* there are not so many steps */
	bool stray; /* the stop was not requested */
};

static void send_here(struct run *run)
{
	struct user_regs_struct registers;

	ptrace(PTRACE_GETREGS, run->child, 0, &registers);
	run->place = registers.rip;
	kill(run->child, run->number);
}

/* A SIGTRAP: of a breakpoint, or of a step. True: the next stop comes after one instruction.
 */
static bool on_trap(struct run *run)
{
	siginfo_t info;

	ptrace(PTRACE_GETSIGINFO, run->child, 0, &info);
	if (info.si_code == SI_KERNEL) {
		run->breakpoints++;
		run->ended = run->breakpoints == 2 && run->left >= 0;
		return run->breakpoints == 1;
	}
	run->stray = run->left < 0;
	if (run->left-- == 0)
		send_here(run);
	return run->left >= 0;
}

/* Follows the run to the command's end, and returns its wait status. */
static int follow(struct run *run)
{
	int status, passed = 0;
	bool steps = false;

	for (;;) {
		if (waitpid(run->child, &status, 0) != run->child || !WIFSTOPPED(status))
			return status;
		passed = WSTOPSIG(status);
		if (passed == SIGTRAP) {
			bool is_exec = run->breakpoints == 0 && status >> 16 != 0;

			steps = !is_exec && on_trap(run);
			passed = run->stray ? SIGTRAP : 0;
		}
		if (run->ended)
			kill(run->child, SIGKILL);
		ptrace(steps ? PTRACE_SINGLESTEP : PTRACE_CONT, run->child, 0, passed);
	}
}

static pid_t start(char **command)
{
	pid_t child = fork();

	if (child != 0)
		return child;
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGSTOP);
	execv(command[0], command);
	_exit(EXIT_IN_EXEC);
}

/* Whether that step exists. */
static bool at_step(int number, long step, char **command, bool *good)
{
	struct run run = {.number = number, .left = step, .child = start(command)};
	int status;

	if (run.child < 0 || waitpid(run.child, &status, 0) != run.child)
		exit(EXIT_USAGE);
	ptrace(PTRACE_SETOPTIONS, run.child, 0, PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC);
	ptrace(PTRACE_CONT, run.child, 0, 0);
	status = follow(&run);
	if (run.ended)
		return false;
	*good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	if (!*good)
		printf("step %ld, at 0x%lx: wait status 0x%x\n", step, run.place, (unsigned)status);
	/* Without a breakpoint there is nothing to step through. */
	return run.breakpoints != 0;
}

int main(int argc, char **argv)
{
	int number = argc > 3 ? atoi(argv[1]) : 0;
	long stride = argc > 3 ? atol(argv[2]) : 0, places = 0;
	bool good, all_good = true;

	if (number <= 0 || stride <= 0) {
		fprintf(stderr, "usage: each_step NUMBER STRIDE COMMAND [ARG]...\n");
		return EXIT_USAGE;
	}
	for (long step = 0; at_step(number, step, argv + 3, &good); step += stride) {
		all_good = all_good && good;
		places++;
	}
	printf("%ld places\n", places);
	return !all_good || places == 0;
}
