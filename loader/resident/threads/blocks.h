/* Blocks for threads, taken and given back. Resident; async-signal-safe. */
#ifndef LOADER_RESIDENT_THREADS_BLOCKS_H
#define LOADER_RESIDENT_THREADS_BLOCKS_H

#include "loader/resident/threads/thread.h"

/* A block for a new thread, zeroed and BORN; NULL if there is no memory. */
struct thread *blocks_take(void);

/*
 * In the child of a fork: all blocks become FREE but this thread's, and the one that its process is
 * on if it was born by vfork. Under threads.lock.
 */
void blocks_keep(const struct thread *thread);

#endif
