/* The story from argv to the jump, the same for all three loaders. */
#ifndef LOADER_LOADER_RUN_H
#define LOADER_LOADER_RUN_H

#include "loader/cli/strategy.h"

/* Jumps to the program. Returns only if it could not: the status to exit with. */
int loader_run(const struct strategy *strategy, int argc, char **argv, char **envp);

#endif
