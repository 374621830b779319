/* Takes blocks for threads and gives them back. Resident; async-signal-safe. */
#pragma once

#include "loader/resident/threads/thread.h"

/* A block for a new thread, zeroed and BORN. NULL if there is no memory. */
struct thread *blocks_take(void);

/*
 * For the child of a fork: frees all blocks except this thread's. If the thread was started by
 * vfork, the block that stores its process is kept, too. The caller holds threads.lock.
 */
void blocks_keep(const struct thread *thread);
