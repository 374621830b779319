/*
 * What supervise.c works with while the loader waits for the program, with the file that each
 * function is in. Host code.
 */
#ifndef LOADER_WATCH_SUPERVISE_H
#define LOADER_WATCH_SUPERVISE_H

#include "loader/guest.h"

#include <sys/types.h>
#include <time.h>

/*
 * host_switch.S: calls function() with the stack pointer at `top`, 16-byte aligned; it must not
 * return.
 */
_Noreturn void host_call_on_stack(void (*function)(void), void *top);

/*
 * host_switch.S: starts a child process that shares this one's memory (CLONE_VM) and ends with
 * SIGCHLD. The child calls entry_depart() at once; the parent gets its process ID, or -errno.
 */
long host_clone_and_depart(void);

/*
 * stop.c: stops the loader as the program has been stopped, so that a shell sees one job, until
 * either is continued; then the other is, too. With all signals blocked.
 */
void stop_with(pid_t program);

/*
 * trace_reader.c reads what the program's threads write into the ring (resident/trace.h), for
 * --trace and --explain. First: lets events be written. The caller has not made a process for the
 * program yet.
 */
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
