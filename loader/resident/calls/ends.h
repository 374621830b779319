/* What must end before a system call. Resident; async-signal-safe; called in the handler of SIGSYS.
 */
#pragma once

#include "loader/resident/calls/system_calls.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/* Each also ends what stands before it: actions.def. */
enum ends { ENDS_NOTHING, ENDS_LAZINESS, ENDS_DISPATCH };

/*
 * What must end before a call, because the call would invalidate the pager's records or the
 * interception of calls. `waits`: other threads are lazy, and the call may wait for one of them.
 */
enum ends ends_before(const struct system_call *call, const struct thread *thread,
		      const struct kernel_context *context, bool waits);
