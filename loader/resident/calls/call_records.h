/* What is written down of the program's system calls, for --stats and --trace. Resident;
 * async-signal-safe. */
#ifndef LOADER_RESIDENT_CALL_RECORDS_H
#define LOADER_RESIDENT_CALL_RECORDS_H

#include "loader/resident/pager/pages.h"
#include "loader/resident/threads/thread.h"

/* Counts a call, by its number too if statistics are wanted. Returns how many there were, this one
 * included. */
uint64_t call_count(struct pager *pager, uint64_t number);

/* The call that the thread is about to make; before it the result of its last one, which the gadget
 * tells nobody. */
void call_trace(struct thread *thread, const struct kernel_registers *registers);

#endif
