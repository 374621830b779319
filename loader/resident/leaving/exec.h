/* execve for the program. Resident; async-signal-safe. */
#pragma once

#include "loader/resident/arch/call.h"
#include "loader/resident/threads/thread.h"

/*
 * Makes an execve or execveat with the program's whole signal mask. Returns only if the call fails:
 * -errno, or -KERNEL_RESTART if the program must make the call again.
 */
long exec_make(struct thread *thread, const struct call *call, uint64_t mask);

/*
 * Called by the handler of a signal that arrived just before execve. See gadget_exec_window in
 * gadget.S.
 */
void exec_interrupted(const struct thread *thread, struct kernel_context *context);
