/* execve for the program. Resident; async-signal-safe. */
#pragma once

#include "loader/resident/arch/call.h"
#include "loader/resident/threads/thread.h"

/*
 * Makes an execve or execveat. It returns only if the call fails, or if the program must make the
 * call again. The context is then back at the call's instruction.
 */
long exec_make(struct thread *thread, const struct call *call, struct kernel_context *context);

/*
 * Called by the handler of a signal that arrived just before execve. See gadget_exec_window in
 * gadget.S.
 */
void exec_interrupted(const struct thread *thread, struct kernel_context *context);
