/*
 * Watching the program: it runs as a child process that shares the loader's memory, and the loader
 * waits for it. The memory outlives the program, so that the loader can count its pages afterwards,
 * however it ended: by exit or by a signal, SIGKILL included.
 */
#ifndef LOADER_SUPERVISE_H
#define LOADER_SUPERVISE_H

#include "loader/guest.h"
#include "loader/resident/launch.h"

#include <sys/resource.h>

/* Allocates what the loader needs while it waits. Before the commit point. */
bool supervise_prepare(struct error *error);

/* What is reported when the program has ended: its status as wait(2) has it. */
typedef void supervise_end(const struct guest *guest, const struct rusage *usage, int status);

/* Runs the program as a child, waits for it, calls report(), and ends as the program did. */
_Noreturn void supervise(const struct guest *guest, struct launch_watched *watched,
			 supervise_end *report);

#endif
