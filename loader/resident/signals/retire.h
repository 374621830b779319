/*
 * The end of lazy paging for one thread: the kernel gets back the program's handlers, masks and
 * alternate stack, and its system calls are no longer intercepted.
 */
#ifndef LOADER_RESIDENT_SIGNALS_RETIRE_H
#define LOADER_RESIDENT_SIGNALS_RETIRE_H

#include "loader/resident/signals/signal_frames.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/* The caller leaves: `context` becomes what the kernel is to go on with. */
void retire_thread(struct thread *thread, struct kernel_context *context);

/* exit of one thread. */
_Noreturn void retire_exiting(struct thread *thread, uint64_t status);

/*
 * For a thread that has left: whether those that had not have ended since, natively, so that nobody
 * noticed. Then the kernel has the program's handlers now, and the signal is to come again.
 */
bool retire_is_over(struct process *process, int number);

/* Whether a signal asks a thread to leave lazy paging. */
bool retire_is_request(const struct thread *thread, const siginfo_t *info);

/*
 * The program's handler, for a thread that runs as if natively: what the kernel has pushed for ours
 * becomes what it would have pushed for the program's.
 */
void *retire_forward_in_place(struct process *process, int number, struct kernel_context *context);

/*
 * The same for a thread that has just left, on whichever stack the program's handler wants. `mask`
 * is what was blocked when the signal came in, as gadget_unwind() says.
 */
void *retire_deliver(struct thread *thread, const struct arrival *arrival,
		     struct kernel_context *context, uint64_t mask);

/* For gadget_forward() (gadget.S): the handler to go on in, or NULL to return. */
void *retire_forward(int number, const siginfo_t *info, struct kernel_context *context);

#endif
