/* Managed signals that a thread keeps until its handler ends. Resident; async-signal-safe. */
#pragma once

#include "loader/resident/threads/thread.h"

#include <signal.h>

/*
 * Adds a managed signal, sent while a handler of the loader runs, to those that the thread keeps
 * until the handler ends. The thread keeps one signal of each number, as the kernel would; another
 * one of the same number is dropped. The caller blocks FAULT_SIGNALS.
 */
void deferred_add(struct thread *thread, int number, const siginfo_t *info);

/*
 * Takes one of the signals that the thread keeps; there must be one. Returns its number. The caller
 * blocks FAULT_SIGNALS.
 */
int deferred_take(struct thread *thread, siginfo_t *info);

/*
 * Gives the kernel all signals that the thread keeps: for another thread if the caller exits, for
 * the caller itself if it leaves. FAULT_SIGNALS stay blocked.
 */
void deferred_give_away(struct thread *thread);
