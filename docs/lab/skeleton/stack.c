/* stack: the stack that a program finds when it starts. Step 3. */
#include "stack.h"
#include "say.h"

/*
 * TODO, step 3. From low to high addresses the stack has argc, the argv pointers, NULL, the envp
 * pointers, NULL, pairs of the auxiliary vector up to AT_NULL, then the strings. Return the address
 * of argc, a multiple of 16. The pager's own auxiliary vector lies after its envp. Which of its
 * values describe the program, and not the machine or the user?
 */
void *build_stack(const struct program *program, char **argv, char **envp)
{
	(void)program;
	(void)argv;
	(void)envp;
	missing(3, "build_stack() in stack.c", "4-stack.md");
}
