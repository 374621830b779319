/* Signals that wait in the kernel's two queues, the thread's and the process's. */
#pragma once

#include "signals.h"

/* The child of a fork has none pending. */
void pending_begin_child(void);
/* The set of the signals that wait, blocked or not. */
uint64_t pending_set(void);
/* No signal of this number waits any more: its action ignores it now. */
void pending_forget(int number);
/* Takes the signal of `wanted` that the kernel would take first. False: none of them waits. */
bool pending_take(uint64_t wanted, struct signal_entry *taken);
/*
 * Handlers of waiting signals that are not blocked run: one handler, or all. False: none was due.
 */
bool pending_deliver_one(void);
void pending_deliver(void);
/*
 * Whether one more signal may be sent: it must be handled or ignored, and the model must have room
 * for it.
 */
bool pending_has_room(int number, bool to_thread);
/* A signal has been sent, to the thread or to the process. */
void pending_add(int number, bool to_thread, int code, int value);
/* Checks that all signals that should have been handled by now have been, and no other. */
void pending_check(void);
