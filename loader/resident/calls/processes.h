/*
 * New threads and processes. Resident; async-signal-safe; called in the handler of SIGSYS unless a
 * comment says otherwise.
 */
#pragma once

#include "loader/resident/calls/birth.h"
#include "loader/resident/threads/thread.h"

/* Makes a fork, vfork, clone or clone3, and returns its result. */
long processes_clone(struct thread *thread, struct birth *birth, struct kernel_context *context);

/*
 * Called by gadget_spawn() on the child's block. The child continues as its frame says. First it
 * checks whether its process is LEAVING, because no thread could ask it before.
 */
void processes_begin_thread(struct signal_frame *frame);
