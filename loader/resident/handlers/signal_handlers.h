/*
 * Signal handling that hides the loader from the program. The kernel calls the loader's handlers,
 * on the loader's stacks. They build the frame that the kernel would have built on the program's
 * stack, and start the program's handler there.
 *
 * So the program's stack may be hidden, and the program may use and examine its own alternate
 * stack. A signal that finds a thread inside the gadget shows the place of the program's own
 * `syscall` instruction.
 *
 * Everything here is called in handlers, with all signals blocked except the managed ones.
 */
#pragma once

#include "loader/resident/signals/signal_frames.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/* The handler of signals that the program handles, except the managed ones. */
void handler_of_signal(int number, void *info, void *context);

/*
 * Whether a signal that was sent has no effect. The program ignores it, or the action is the
 * default one in the first process of a PID namespace, which no default action kills
 * (sig_task_ignored in kernel/signal.c).
 */
bool handlers_ignore(const struct kernel_sigaction *action);

/*
 * Delivers a managed signal as the kernel would if it had the program's own actions and mask.
 * `mask` is the set of blocked signals. `called`: the signal arrived right after a system call.
 */
void handlers_take(struct thread *thread, struct kernel_context *context,
		   const struct arrival *arrival, uint64_t mask, bool called);

/*
 * Makes a system call again that ended only because a handler of the loader was called. `called`:
 * the handler found the thread right after a call in the gadget.
 */
void handlers_resume_call(struct thread *thread, struct kernel_context *context, bool called);

/*
 * The end of each handler of the loader, and of the start of a thread. Delivers managed signals
 * that arrived in the meantime. Leaves lazy paging if another thread has asked. Then returns from
 * the handler.
 */
_Noreturn void handlers_end(struct thread *thread, struct kernel_context *context);

/*
 * As force_sigsegv in the kernel: the frame of the signal `failed` cannot be written, or (0) that
 * of a return cannot be read. If SIGSEGV itself cannot be delivered, the program is killed.
 */
void handlers_force_segv(struct thread *thread, struct kernel_context *context, int failed);
