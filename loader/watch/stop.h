/* A watched program that is stopped, and goes on (job control). Host code, while it waits. */
#ifndef LOADER_WATCH_STOP_H
#define LOADER_WATCH_STOP_H

#include <sys/types.h>

/*
 * Stops the loader as the program has been stopped, so that a shell sees one job, until either is
 * continued; then the other is, too. With all signals blocked.
 */
void stop_with(pid_t program);

#endif
