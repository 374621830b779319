/* How threads leave lazy paging; thread.h describes the states. Resident; async-signal-safe. */
#pragma once

#include "loader/resident/arch/call.h"
#include "loader/resident/threads/thread.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Asks all threads of a process to leave. After a thread has left, the kernel handles its system
 * calls, signal mask, alternate stack and handlers again; thread.h describes the states. The caller
 * leaves too, at the end of its handler. Returns false if another thread has asked before.
 */
bool leave_begin(struct thread *thread);

/*
 * Makes the caller leave, in a handler that was called on the caller's block. `context` becomes
 * what the return from the handler restores. The function returns when all threads of the process
 * have left, and those with an earlier turn have returned to the program. Lazy paging must have
 * ended. `call` is used only with TURN_SLEEPS: it is the futex wait that the program makes next.
 * The order of the turns matters: the program's next call may install a filter for all threads that
 * forbids the calls needed for leaving.
 */
void leave(struct thread *thread, struct kernel_context *context, enum leaving_turn turn,
	   const struct call *call);

/* As leave(), before a call that the program makes itself when it goes on. */
void leave_before(struct thread *thread, struct kernel_context *context, enum leaving_turn turn,
		  const struct call *call);

/*
 * Asks a thread of a LEAVING process to leave. In a handler of the loader the thread would do so
 * anyway, at the handler's end. The thread must not be in EXECS. `group` and `id` are those of
 * struct thread.
 */
void leave_ask(int32_t group, int32_t id);

/* Makes the caller exit, after it has passed on the signals that it kept for others. */
_Noreturn void leave_by_exit(struct thread *thread, uint64_t status);

/* Whether a SIGSEGV is the request to leave that was sent to a thread of a LEAVING process. */
bool leave_is_request(const struct thread *thread, const siginfo_t *info);
