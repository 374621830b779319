/* traced.h: for tools that trace a command from exec on. */
#pragma once

#include <sys/ptrace.h>
#include <sys/types.h>
#include <unistd.h>

#define EXIT_USAGE 98

/* A child that becomes the command, and stops after exec. -1: there is no child. */
static inline pid_t start_traced(char **command)
{
	pid_t child = fork();

	if (child != 0)
		return child;
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	execv(command[0], command);
	_exit(EXIT_USAGE);
}
