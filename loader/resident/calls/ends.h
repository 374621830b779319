/* What must end before a system call. Resident; async-signal-safe; called in the handler of SIGSYS.
 */
#pragma once

#include "loader/resident/arch/call.h"
#include "loader/resident/calls/system_calls.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/* Each also ends what stands before it: actions.def. */
enum ends { ENDS_NOTHING, ENDS_LAZINESS, ENDS_DISPATCH };

/*
 * What must end before a call, because the call would invalidate the pager's records or the
 * interception of calls. `mask`: what the kernel blocks in the caller. `waits`: other threads are
 * lazy, and the call may wait for one of them.
 */
enum ends ends_before(const struct thread *thread, const struct system_call *kind,
		      const struct call *call, uint64_t mask, bool waits);
