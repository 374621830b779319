/* System calls about signals that the loader answers. Resident; async-signal-safe. */
#pragma once

#include "loader/resident/arch/call.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/*
 * Installs the loader's handlers for the managed signals, or for SIGSEGV alone if system calls are
 * not intercepted. The previous actions go to process->actions. Returns false if the kernel
 * refuses.
 */
bool signal_calls_arm(struct process *process, bool system_calls);

/*
 * Installs the handlers again in a child whose handlers the kernel has reset (CLONE_CLEAR_SIGHAND).
 */
void signal_calls_rearm(struct process *process);

/*
 * Answers rt_sigaction, rt_sigprocmask, rt_sigpending or sigaltstack, and returns the result.
 * `mask`: what the kernel has for the thread after the handler.
 */
long signal_call(struct thread *thread, const struct call *call, uint64_t *mask);
