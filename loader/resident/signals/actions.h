/* What the program wants done about signals, and signals that are sent once more. */
#ifndef LOADER_RESIDENT_SIGNALS_ACTIONS_H
#define LOADER_RESIDENT_SIGNALS_ACTIONS_H

#include "loader/resident/threads/thread.h"

/* What the program wants done about a signal; a handler for one occasion is used up by it. */
struct kernel_sigaction actions_claim(struct process *process, int number);

/*
 * Sends a signal that the kernel gave to this thread, which does not block it, once more. To this
 * thread: whether it was sent to the process or to one thread cannot be told from a timer's signal
 * or a queued one.
 */
void actions_send_again(int number, const siginfo_t *info);

/*
 * The same, where the program blocks it in this thread: sent to the process it may be another
 * thread's. A queued one is taken for one that was sent to the process.
 */
void actions_leave_pending(int number, const siginfo_t *info);

#endif
