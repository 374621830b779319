/* System calls that put a signal mask in force while they wait: sigsuspend, ppoll and the like. */
#ifndef LOADER_RESIDENT_CALLS_MASKED_CALL_H
#define LOADER_RESIDENT_CALLS_MASKED_CALL_H

#include "common/arch/x86_64/signal_frame.h"
#include "loader/resident/threads/thread.h"

/*
 * Goes on in the gadget with the call, as gadget_enter(). A managed signal in the mask is not
 * really blocked; the thread remembers it.
 */
void masked_call_make(struct thread *thread, struct kernel_context *context);

#endif
