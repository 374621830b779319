/*
 * Children that the program is about to trace. Resident; async-signal-safe; called in the handler
 * of SIGSYS unless a comment says otherwise.
 */
#pragma once

#include "loader/resident/threads/thread.h"

/*
 * Called before the caller leaves for ptrace(), unless it asks to be traced itself. Makes the
 * children of the caller, which must be the only thread, leave first. Children that may not be
 * traced, or that take more than half a second, are skipped.
 */
void tracees_leave(const struct thread *thread);
