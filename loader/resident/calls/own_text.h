/* When the program has to have its own instructions back (loader/resident/pager/rewrite.h). */
#pragma once

#include "loader/resident/calls/birth.h"
#include "loader/resident/calls/system_calls.h"
#include "loader/resident/pager/rewrite.h"

/*
 * Whether all threads have to leave before a call. A child that shares memory, and leaves lazy
 * paging on its own, could not have its instructions back alone.
 */
static inline bool needs_own_text(const struct system_call *kind, const struct call *call)
{
	if (!ARCH_REWRITES)
		return false;
	return rewrite_ends_before(call) ||
	       (kind->action == CALL_CLONE &&
		(birth_flags(call) & (CLONE_VM | CLONE_SIGHAND)) == CLONE_VM);
}
