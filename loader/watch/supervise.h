/*
 * Functions that supervise.c uses while the loader waits for the program. The comment of each names
 * its file. Host code.
 */
#pragma once

#include "loader/guest/guest.h"
#include "loader/hold/hold.h"

#include <sys/types.h>
#include <time.h>

/*
 * take_over.c, called just before the program starts: copies the results of loading from the
 * child's memory to the same objects in the loader's memory.
 */
void watch_take_over(struct guest *guest, const struct held *held);

/*
 * take_over.c: closes the descriptors that the program inherits, because other processes may wait
 * for the end of a pipe or for a lock. Standard error stays open for the loader's reports.
 */
void watch_close_inherited(struct guest *guest);

/* explain.c: copies the progress of the story. */
void explain_take_over(const struct held *held);

/*
 * stop.c: stops the loader with the signal that stopped the program, so that a shell sees one job.
 * When one of the two is continued, the other is, too. All signals are blocked.
 */
void stop_with(pid_t program, int number);

/*
 * trace_reader.c: reads the events that the program's threads write into the ring
 * (resident/trace.h), for --trace and --explain. This function starts the file of --trace, and
 * enables writing. The program is about to start, in this process.
 */
void trace_read_begin(const struct guest *guest, int process);

/*
 * Reads the available events. If each writer waits until its event has been read, and there is no
 * event, the loader waits up to 5 ms for one. Returns how long the caller may wait before the next
 * call; NULL means forever: there is no trace.
 */
const struct timespec *trace_read_some(void);

/* Called before the loader stops, and when it continues: in between, no writer waits for it. */
void trace_read_stops(bool stops);

/*
 * Reads the last events, and ends the file and the story. The program is over, with a status as
 * from wait(2).
 */
void trace_read_end(int status);
