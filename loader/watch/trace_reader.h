/*
 * Reading what the program's threads write into the ring (resident/trace.h), in the loader that
 * waits for the program; for --trace and --explain. Host code.
 */
#ifndef LOADER_TRACE_READER_H
#define LOADER_TRACE_READER_H

#include "loader/guest.h"

#include <time.h>

/* Lets events be written. The caller has not made a process for the program yet. */
void trace_begin(void);

/* Begins the file of --trace, in the loader that waits for this process. */
void trace_read_begin(const struct guest *guest, int process);

/*
 * Reads the events that there are. Where each writer waits until its event has been read, and there
 * is no event, the loader waits 5 ms for one. Returns for how long the caller may wait before the
 * next call; NULL, for ever: there is no trace to read.
 */
const struct timespec *trace_read_some(void);

/* The loader is about to stop, or goes on: meanwhile no writer waits for it. */
void trace_read_stops(bool stops);

/*
 * Reads the last events, and ends file and story. The program is over, with a status as wait(2) has
 * it.
 */
void trace_read_end(int status);

#endif
