/*
 * System calls that set a signal mask while they wait. Resident; async-signal-safe; called in the
 * handler of SIGSYS unless a comment says otherwise.
 */
#pragma once

#include "loader/resident/arch/call.h"
#include "loader/resident/threads/thread.h"

/*
 * Called before gadget_enter() for a call that sets a signal mask while it waits: sigsuspend, ppoll
 * and the like. Changes the argument that points to the mask, if the mask has managed signals: they
 * are not really blocked; the thread records them instead.
 */
void masked_call_prepare(struct thread *thread, struct call *call);
