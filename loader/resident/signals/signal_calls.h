/* The system calls about signals, and our handlers in the kernel. */
#ifndef LOADER_RESIDENT_SIGNALS_SIGNAL_CALLS_H
#define LOADER_RESIDENT_SIGNALS_SIGNAL_CALLS_H

#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/*
 * Installs our handlers for the managed signals, or for SIGSEGV alone where system calls do not
 * come to us. What was there goes to process->actions. False if the kernel refuses.
 */
bool signal_calls_arm(struct process *process, bool system_calls);

/* Installs them again in a child whose handlers the kernel has reset (CLONE_CLEAR_SIGHAND). */
void signal_calls_rearm(struct process *process);

/* rt_sigaction, rt_sigprocmask, rt_sigpending, sigaltstack: the result. */
long signal_call(struct thread *thread, struct kernel_context *context);

#endif
