/*
 * What the loader does for a program that is its child, so that the loader's own parent sees one
 * process. With all signals blocked. Host code.
 */
#ifndef LOADER_WATCH_CHILD_H
#define LOADER_WATCH_CHILD_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

/*
 * Waits for a signal, not longer than `patience`; NULL: for ever. Returns its number, or -1. The
 * child gets those that are meant for it.
 */
int child_next_signal(pid_t child, const struct timespec *patience);

/*
 * Whether the child is over, with its status as wait(2) has it. Stops the loader as long as the
 * child is stopped.
 */
bool child_is_over(pid_t child, int *status, struct rusage *usage);

/* Ends as the child did. */
_Noreturn void child_end_like(int status);

#endif
