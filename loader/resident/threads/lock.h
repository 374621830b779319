/*
 * Locks of resident code: one word each, 0 when free. A process that shares memory can be killed
 * while one of its threads holds a lock. Then a waiting thread takes the lock over, and finds a
 * half-done change. A thread that is BORN takes no lock, because its ID, which the lock would
 * contain, is not known yet. The first thread may, because it is alone.
 */
#pragma once

#include <stdint.h>

/*
 * Sleeps until the lock is free. It does not spin: with fixed priorities, a spinning thread might
 * keep the holder from running. Async-signal-safe as long as every holder blocks signals.
 */
void lock_take(uint32_t *lock);
void lock_release(uint32_t *lock);
