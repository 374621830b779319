/* Blocks for threads, taken and given back. Resident; async-signal-safe. */
#ifndef LOADER_RESIDENT_THREADS_BLOCKS_H
#define LOADER_RESIDENT_THREADS_BLOCKS_H

#include "loader/resident/threads/thread.h"

/* A block for a new thread, zeroed and BORN; NULL if there is no memory. */
struct thread *blocks_take(void);

/* In the child of a fork: all blocks but this thread's become FREE. Under threads.lock. */
void blocks_keep(struct thread *thread);

#endif
