/*
 * What the loader does for a program that is its child, so that the loader's own parent sees one
 * process. All signals are blocked. Host code.
 */
#pragma once

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

/*
 * Waits for a signal, for at most `patience`; NULL: forever. Returns its number, or -1. Signals
 * meant for the child are passed on to it.
 */
int child_next_signal(pid_t child, const struct timespec *patience);

/*
 * Whether the child has ended; `status` is as from wait(2). Stops the loader as long as the child
 * is stopped.
 */
bool child_is_over(pid_t child, int *status, struct rusage *usage);

/* Ends with the child's status. */
_Noreturn void child_end_like(int status);
