/*
 * Reading what the program's threads write into the ring (resident/trace.h), in the loader that
 * waits for the program; for --trace and --explain. Host code.
 */
#ifndef LOADER_TRACE_READER_H
#define LOADER_TRACE_READER_H

#include "loader/guest.h"

#include <time.h>

/* From now on events are written. Called before there is a process for the program. */
void trace_begin(void);

/* Called in the loader that is going to wait for this process. */
void trace_read_begin(const struct guest *guest, int process);

/*
 * Reads the events that there are. Where each writer waits until its event has been read, and there
 * is no event, the loader waits 5 ms for one. Returns for how long the caller may wait before the
 * next call; NULL, for ever: there is no trace to read.
 */
const struct timespec *trace_read_some(void);

/* The program is over, with a status as wait(2) has it. */
void trace_read_end(int status);

#endif
