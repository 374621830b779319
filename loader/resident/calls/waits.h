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
 * to a thread. The kernel would drop that signal if one of a fault, with the same number, were
 * pending there.
 */
bool waits_may_wait(const struct system_call *kind, const struct call *call);

/*
 * The signal that a call of CALL_SEND sends, as a set; empty if it sends none. tgkill and
 * rt_tgsigqueueinfo take two IDs before the signal, the other calls one.
 */
uint64_t waits_sent(const struct call *call);

/* The turn of a thread that leaves lazy paging before a call. */
enum leaving_turn waits_turn(const struct system_call *kind, const struct call *call);
