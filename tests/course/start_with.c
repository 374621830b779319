/*
 * start_with WHAT=NUMBER PROGRAM [ARG]...: starts PROGRAM and changes one thing before its first
 * instruction: the register that may have a function for the program's end (rdx, on arm64 x0, on
 * riscv64 a0), or the value of an auxiliary vector entry, by type: `start_with 6=65536 ...` changes
 * AT_PAGESZ. So one sees who reads it. Ends as the program does.
 */
#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define END_NAME      "rdx="
#define END_REGISTER  rdx
#define STACK_POINTER rsp
#elif defined(__aarch64__)
#define END_NAME      "x0="
#define END_REGISTER  regs[0]
#define STACK_POINTER sp
#else
#include <asm/ptrace.h>
#define END_NAME      "a0="
#define END_REGISTER  a0
#define STACK_POINTER sp
#endif

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
	struct iovec all = {&registers, sizeof(registers)};

	if (ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &all) != 0)
		return 0;
	if (strncmp(what, END_NAME, strlen(END_NAME)) == 0) {
		registers.END_REGISTER = value;
		return ptrace(PTRACE_SETREGSET, child, NT_PRSTATUS, &all) == 0;
	}
	entry = find_entry(child, registers.STACK_POINTER, strtoul(what, NULL, 0));
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
