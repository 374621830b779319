/* The program's signal actions. Resident; async-signal-safe. */
#pragma once

#include "loader/resident/threads/thread.h"

#include <signal.h>

/* The program's action for a signal. If the action has SA_RESETHAND, it is reset to SIG_DFL. */
struct kernel_sigaction actions_claim(struct process *process, int number);

/*
 * Sends a signal again that the kernel delivered to this thread, where it is not blocked. The
 * receiver is this thread, because a siginfo does not show whether a queued signal, or a timer's,
 * was for the process.
 */
void actions_send_again(int number, const siginfo_t *info);

/*
 * Like actions_send_again(), for a signal that the program blocks in this thread. A signal sent to
 * the process may be for another thread. A queued signal is assumed to have been sent to the
 * process.
 */
void actions_leave_pending(int number, const siginfo_t *info);
