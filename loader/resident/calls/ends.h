/* What must end before a system call. Resident; async-signal-safe; called in the handler of SIGSYS.
 */
#pragma once

#include "loader/resident/arch/call.h"
#include "loader/resident/calls/system_calls.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/*
 * Counts a call. Ends lazy paging if the call would invalidate the pager's records, or if the
 * thread must leave before the call. Returns whether it must: that depends on the mode (guard.h).
 * `mask`: what the kernel blocks in the caller. `waits`: other threads are lazy, and the call may
 * wait for one of them.
 */
bool ends_must_leave(const struct thread *thread, const struct system_call *kind,
		     const struct call *call, uint64_t mask, bool waits);
