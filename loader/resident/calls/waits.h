/*
 * Which system calls wait for another thread, or send signals. Resident; async-signal-safe; called
 * in the handler of SIGSYS unless a comment says otherwise.
 */
#pragma once

#include "loader/resident/arch/call.h"
#include "loader/resident/calls/system_calls.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/*
 * Whether a call may wait for another thread of the program. The thread may have to write, wake,
 * unlock or, as the server of a file system, answer. Also true if the call sends a managed signal
 * to a thread: the kernel would drop it if a fault's signal with the same number were pending
 * there.
 */
bool waits_may_wait(const struct system_call *kind, const struct call *call);

/*
 * Whether a call of CALL_SEND sends a managed signal that the caller has blocked. `mask` is the
 * mask that the kernel has for the caller. Lazy paging would
 * have to end where the signal arrives. A siginfo does not show which of the kernel's two queues
 * the signal came from, the thread's or the process's.
 *
 * Also true if the call sends an exception's signal to a thread, with a code that may be an
 * exception's. The kernel delivers such a signal, although it is blocked, as soon as another
 * exception is pending there, for example that of a system call (dequeue_synchronous_signal).
 */
bool waits_sends_blocked(const struct thread *thread, const struct call *call, uint64_t mask);

/*
 * Whether a call of CALL_SEND sends a managed signal to a thread (not to a process) other than the
 * caller.
 */
bool waits_sends_to_thread(const struct thread *thread, const struct call *call);

/*
 * Whether the caller may hold robust locks (get_robust_list(2)). A thread may hold one if its list
 * is not empty, or if a lock is being added to the list. When the thread or its program ends, the
 * kernel walks that list itself to wake the waiters, and stops at the first hidden word.
 */
bool waits_leaves_locks(void);

/* The turn of a thread that leaves lazy paging before a call. */
enum leaving_turn waits_turn(const struct system_call *kind, const struct call *call);
