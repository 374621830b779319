/*
 * A thread leaves: from its return to the program on its system calls are the kernel's again, and
 * so are its mask, its alternate stack and the handlers. The states are in thread.h.
 * Async-signal-safe.
 */
#ifndef LOADER_RESIDENT_SIGNALS_LEAVE_H
#define LOADER_RESIDENT_SIGNALS_LEAVE_H

#include "loader/resident/threads/thread.h"

#include <signal.h>
#include <stdbool.h>

/*
 * Asks all threads of a process to leave, the caller included, who does so at its handler's end.
 * False if somebody has done so before.
 */
bool leave_begin(struct thread *thread);

/*
 * The caller leaves, in a handler that was called on its block: `context` becomes what the
 * handler's return puts in force. Returns when all threads of the process have left, and to the one
 * that began also not before all others are on their way back to the program. What the program does
 * next may be a filter of system calls for all threads, which forbids what leaving takes;
 * `sets_filter` says that it will be.
 */
void leave(struct thread *thread, struct kernel_context *context, bool sets_filter);

/* The caller exits; this takes care of what it kept for others. */
_Noreturn void leave_by_exit(struct thread *thread, uint64_t status);

/* Whether a SIGSEGV is the one by which a thread of a process that is LEAVING is asked to leave. */
bool leave_is_request(const struct thread *thread, const siginfo_t *info);

#endif
