/*
 * What supervise.c works with while the loader waits for the program, with the file that each
 * function is in. Host code.
 */
#ifndef LOADER_WATCH_SUPERVISE_H
#define LOADER_WATCH_SUPERVISE_H

#include "loader/guest.h"
#include "loader/hold/hold.h"

#include <sys/types.h>
#include <time.h>

/*
 * take_over.c, right before the program begins: copies what the loading found out from the child's
 * memory to the same objects in the loader's.
 */
void watch_take_over(struct guest *guest, const struct held *held);

/*
 * take_over.c: closes the descriptors that the program inherits, since others may wait for the end
 * of a pipe or for a lock; not standard error, which the loader reports on.
 */
void watch_close_inherited(struct guest *guest);

/* explain.c: copies how far the story has come. */
void explain_take_over(const struct held *held);

/*
 * stop.c: stops the loader as the program has been stopped, so that a shell sees one job, by this
 * signal, until either is continued; then the other is, too. With all signals blocked.
 */
void stop_with(pid_t program, int number);

/*
 * trace_reader.c reads what the program's threads write into the ring (resident/trace.h), for
 * --trace and --explain. First: begins the file of --trace, and lets events be written. The program
 * is about to begin, in this process.
 */
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
