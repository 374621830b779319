/*
 * Managed signals that somebody sends while a handler of ours runs: the thread keeps them, one of
 * each number as the kernel would, until the handler ends. All async-signal-safe.
 */
#ifndef LOADER_RESIDENT_SIGNALS_DEFERRED_H
#define LOADER_RESIDENT_SIGNALS_DEFERRED_H

#include "loader/resident/threads/thread.h"

/* The thread keeps a signal, unless it has one of this number. FAULT_SIGNALS are blocked. */
void deferred_add(struct thread *thread, int number, const siginfo_t *info);

/*
 * Takes one of those that the thread keeps; there must be one. FAULT_SIGNALS are blocked. Returns
 * its number.
 */
int deferred_take(struct thread *thread, siginfo_t *info);

/*
 * The kernel gets what the thread keeps: for another thread, where this one exits, or for itself,
 * where it leaves. FAULT_SIGNALS stay blocked.
 */
void deferred_give_away(struct thread *thread);

#endif
