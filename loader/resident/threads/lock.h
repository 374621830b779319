/*
 * Locks of resident code: a word each, 0 when free. A process that shares memory can be killed
 * while one of its threads holds a lock: then whoever waits has it next, and finds what was half
 * done. A thread that is BORN takes none, as its ID, by which it would hold the lock, is not known
 * yet; but for the first, which is alone.
 */
#ifndef LOADER_RESIDENT_THREADS_LOCK_H
#define LOADER_RESIDENT_THREADS_LOCK_H

#include <stdint.h>

/*
 * Sleeps until the lock is free: a thread that spins might keep the holder from running, where
 * priorities are fixed. Async-signal-safe as long as every holder blocks signals.
 */
void lock_take(uint32_t *lock);
void lock_release(uint32_t *lock);

#endif
