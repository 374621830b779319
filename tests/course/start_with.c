/*
 * start_with WHAT=NUMBER PROGRAM [ARG]...: starts PROGRAM and changes one thing before its first
 * instruction: rdx, or the value of an auxiliary vector entry, by type: `start_with 6=65536 ...`
 * changes AT_PAGESZ. So one sees who reads it. Ends as the program does.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* The address of the value of an entry; 0 if there is none. */
static unsigned long find_entry(pid_t child, unsigned long stack, unsigned long type)
{
	unsigned long argc = (unsigned long)ptrace(PTRACE_PEEKDATA, child, stack, NULL);
	unsigned long at = stack + 8 * (argc + 2), found;

	while (ptrace(PTRACE_PEEKDATA, child, at, NULL) != 0)
		at += 8;
	for (at += 8;; at += 16) {
		found = (unsigned long)ptrace(PTRACE_PEEKDATA, child, at, NULL);
		if (found == type || found == 0)
			return found == type ? at + 8 : 0;
	}
}

/* False if the program has no such entry. */
static int change(pid_t child, const char *what)
{
	unsigned long value = strtoul(strchr(what, '=') + 1, NULL, 0), entry;
	struct user_regs_struct registers;

	if (strncmp(what, "rdx=", 4) == 0)
		return ptrace(PTRACE_POKEUSER, child, offsetof(struct user, regs.rdx), value) == 0;
	if (ptrace(PTRACE_GETREGS, child, NULL, &registers) != 0)
		return 0;
	entry = find_entry(child, registers.rsp, strtoul(what, NULL, 0));
	return entry != 0 && ptrace(PTRACE_POKEDATA, child, entry, value) == 0;
}

int main(int argc, char **argv)
{
	pid_t child;
	int status;

	if (argc < 3 || strchr(argv[1], '=') == NULL) {
		fputs("start_with: write start_with TYPE=VALUE PROGRAM, such as 6=65536 ./prog1\n",
		      stderr);
		return 125;
	}
	child = fork();
	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[2], argv + 2);
		_exit(127);
	}
	/* The child stops after exec, before its first instruction. */
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		return 125;
	if (!change(child, argv[1])) {
		fprintf(stderr, "start_with: there is no %s\n", argv[1]);
		kill(child, SIGKILL);
		return 125;
	}
	ptrace(PTRACE_DETACH, child, NULL, NULL);
	waitpid(child, &status, 0);
	if (WIFSIGNALED(status))
		printf("ended by signal %d\n", WTERMSIG(status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
