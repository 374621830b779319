/*
 * Signals, so that the program notices nothing of ours. The kernel calls our handlers, on our
 * stacks; they build the frame that the kernel would have built on the program's stack and let the
 * program's handler begin there. That way a stack may be hidden, the program may use or examine
 * its own alternate stack, and a signal that finds a thread inside the gadget shows it where the
 * program's own `syscall` instruction is.
 *
 * Everything here is called in handlers, with all signals blocked but the managed ones.
 */
#ifndef LOADER_RESIDENT_SIGNALS_SIGNAL_HANDLERS_H
#define LOADER_RESIDENT_SIGNALS_SIGNAL_HANDLERS_H

#include "loader/resident/signals/signal_frames.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/* The handler of signals that the program handles, but for the managed ones. */
void handler_of_signal(int number, void *info, void *context);

/* The handler of the managed signals (signal_managed.c). */
void handler_of_managed(int number, void *info, void *context);

/*
 * Whether nothing comes of a signal that was sent: the first process of a PID namespace does not
 * die of one (sig_task_ignored in kernel/signal.c).
 */
bool handlers_ignore(const struct kernel_sigaction *action);

/*
 * A managed signal: what the kernel would do with it, had the program's wishes been carried out.
 * `mask` is what is blocked; `called`: it arrived right after a system call.
 */
void handlers_take(struct thread *thread, struct kernel_context *context,
		   const struct arrival *arrival, uint64_t mask, bool called);

/*
 * Ends the process as the kernel would. An access that faults does so again when we return, and the
 * parent sees the true address; everything else is sent once more.
 */
void handlers_take_default(const struct arrival *arrival, const struct kernel_context *context);

/*
 * A system call that has ended only because a handler of ours was called goes on: it is made again.
 * `called`: the handler found the thread right after a call in the gadget.
 */
void handlers_resume_call(struct thread *thread, struct kernel_context *context, bool called);

/*
 * The end of a handler of ours, and of a thread's beginning: takes care of a managed signal that
 * arrived meanwhile, leaves lazy paging if another thread has begun to, and returns from the
 * handler.
 */
_Noreturn void handlers_end(struct thread *thread, struct kernel_context *context);

/* rt_sigreturn. */
void handlers_return(struct thread *thread, struct kernel_context *context);

#endif
