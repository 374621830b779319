/*
 * Reading what the program's threads write into the ring (resident/trace.h), in the loader that
 * waits for the program; for --trace and --explain. Host code.
 */
#ifndef LOADER_TRACE_READER_H
#define LOADER_TRACE_READER_H

#include "loader/guest.h"
#include "loader/resident/trace.h"

#include <time.h>

/* Before the commit point: makes the ring. */
bool trace_prepare(const struct guest *guest, struct error *error);

/* Before there is a process for the program: from now on events are written. */
void trace_begin(void);

/* In the loader that is going to wait for this process. */
void trace_read_begin(const struct guest *guest, int process);

/* Whether there is a trace to read. */
bool trace_is_read(void);

/*
 * Reads what there is. Where a writer waits for each event to be read, and there is none, waits for
 * one for 5 ms. Returns for how long somebody else may wait before it is called again.
 */
struct timespec trace_read_some(void);

/* The program is over, with a status as wait(2) has it. */
void trace_read_end(int status);

#endif
