/*
 * System calls that set a signal mask while they wait. Resident; async-signal-safe; called in the
 * handler of SIGSYS unless a comment says otherwise.
 */
#pragma once

#include "loader/resident/threads/thread.h"

/*
 * Like gadget_enter(), for a call that sets a signal mask while it waits: sigsuspend, ppoll and the
 * like. A managed signal in the mask is not really blocked; the thread records it instead.
 */
void masked_call_make(struct thread *thread, struct kernel_context *context);
