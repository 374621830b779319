/*
 * stack: the stack that a program finds when it starts.
 */
#pragma once

#include "program.h"

/*
 * Makes a new stack of 8 MiB with argc, argv, envp and the auxiliary vector on it. Returns the
 * program's stack pointer at its start. argv[0] is the program's name, not the pager's.
 */
void *build_stack(const struct program *program, char **argv, char **envp);
