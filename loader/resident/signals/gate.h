/*
 * Where threads that have left lazy paging wait for each other (futex(2)). Nobody goes on before
 * all have left, and make no system call any more: what the program does next is its own affair,
 * and may be a filter, for all threads, of the calls that leaving takes. Async-signal-safe.
 */
#ifndef LOADER_RESIDENT_SIGNALS_GATE_H
#define LOADER_RESIDENT_SIGNALS_GATE_H

#include "loader/resident/threads/thread.h"

/*
 * For the first that leaves: returns when the others of its process that are to leave have done so
 * and sleep, or after a second. They need not be woken for that, only be scheduled.
 */
void gate_wait_for_others(const struct thread *thread);

/* For the same, as its last call: whom it wakes may forbid all. */
void gate_open(struct process *process);

/* For each other one, as its last call: sleeps until the gate is open, two seconds at most. */
void gate_wait(struct process *process);

#endif
