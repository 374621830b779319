/* Which system calls may wait for another thread. Resident; async-signal-safe. */
#ifndef LOADER_RESIDENT_CALLS_WAITS_H
#define LOADER_RESIDENT_CALLS_WAITS_H

#include "common/arch/x86_64/signal_frame.h"
#include "loader/resident/calls/system_calls.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/*
 * Whether a call may wait for another thread of the program: for what that thread writes,
 * wakes, unlocks or, as the server of a file system, answers; or whether it sends a managed signal
 * to a thread, which the kernel would drop if the signal of a fault were pending there.
 */
bool waits_may_wait(const struct system_call *call, const struct kernel_registers *registers);

/* Whether it sends a managed signal to a thread, not to a process, which is not the caller. */
bool waits_sends_to_thread(const struct thread *thread, const struct kernel_registers *registers);

#endif
