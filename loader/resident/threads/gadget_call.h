/*
 * A system call of the program is made in the gadget (gadget.S), outside any handler, so that it
 * can be interrupted, restarted and cancelled as usual.
 */
#ifndef LOADER_RESIDENT_THREADS_GADGET_CALL_H
#define LOADER_RESIDENT_THREADS_GADGET_CALL_H

#include "loader/resident/threads/thread.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The handler's reply to a call: the program goes on in the gadget, which makes the call with the
 * arguments that are in the context by then, and comes back with those that were there.
 */
void gadget_enter(struct thread *thread, struct kernel_context *context);

/*
 * A signal has arrived. If it found the thread in the gadget, the context becomes that of the
 * program's own instruction, before the call or after it. Returns the signals that are blocked,
 * the managed ones included.
 */
uint64_t gadget_unwind(struct thread *thread, struct kernel_context *context);

/* A signal has interrupted a handler of ours, which looks after it before it ends. */
void gadget_news(struct thread *thread, struct kernel_context *context);

/* Whether an instruction is in resident code other than the gadget. */
bool gadget_is_ours(uint64_t instruction);

#endif
