/* Takes blocks for threads and gives them back. Resident; async-signal-safe. */
#pragma once

#include "loader/resident/threads/thread.h"

/* A block for a new thread, zeroed and BORN. NULL if there is no memory. */
struct thread *blocks_take(void);

/*
 * In the child of a fork: frees all blocks except this thread's, and except the block that holds
 * its process, if the thread was started by vfork. The caller holds threads.lock.
 */
void blocks_keep(const struct thread *thread);
