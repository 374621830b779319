/* The story from argv to the jump, the same for all three loaders. */
#pragma once

#include "loader/cli/strategy.h"

/*
 * Loads the program and jumps to it. It returns only if that failed; the result is the exit status.
 */
int loader_run(const struct strategy *strategy, int argc, char **argv, char **envp);
