/*
 * apager PROGRAM [ARG]...: runs a static program in this process. The whole program is in memory
 * before it starts.
 */
#include "jump.h"
#include "pages.h"
#include "program.h"
#include "say.h"
#include "stack.h"

int main(int argc, char **argv, char **envp)
{
	static struct program program;

	if (argc < 2)
		stop(STATUS_FAILED, "usage", "apager PROGRAM [ARG]...");
	read_program(&program, argv[1]);

	/* TODO, step 5: bring in every page of every segment. */
	if (program.count > 0)
		missing(5, "main() in apager.c", "3-plan.md");

	jump(program.entry, build_stack(&program, argv + 1, envp));
}
