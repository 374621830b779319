/* Signal frames on the program's stacks, and its alternate stack. */
#ifndef LOADER_RESIDENT_SIGNALS_SIGNAL_FRAMES_H
#define LOADER_RESIDENT_SIGNALS_SIGNAL_FRAMES_H

#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/* A signal on its way to the program. */
struct arrival {
	int number;
	bool forced; /* an exception: cannot be ignored or wait */
	const void *info;
};

/* What is blocked in a handler of the program, where `mask` was. */
static inline uint64_t frame_mask(uint64_t mask, const struct kernel_sigaction *action, int number)
{
	mask |= action->mask;
	return action->flags & KERNEL_SA_NODEFER ? mask : mask | KERNEL_SIGNAL_BIT(number);
}

/*
 * Lets the program's handler begin: pushes a frame, changes the context. `mask` is what the handler
 * finds in force, beside what it asked for. False if there is no room for a frame.
 */
bool frame_push(struct thread *thread, struct kernel_context *context,
		const struct arrival *arrival, const struct kernel_sigaction *action,
		uint64_t mask);

/* Reads the program's context of a signal frame back. False if it cannot be read. */
bool frame_pop(struct thread *thread, struct kernel_context *context);

/*
 * Writes a frame at the upper end of a new thread's own stack: the thread goes on as the context
 * says, with the result 0.
 */
struct signal_frame *frame_of_child(const struct thread *child,
				    const struct kernel_context *context);

/* sigaltstack(2): 0 or -errno. `pointer` is the program's stack pointer. */
long frame_set_stack(struct thread *thread, const struct kernel_stack *stack, uint64_t pointer);

/* SS_ONSTACK, SS_DISABLE or 0 for a stack pointer. */
int frame_stack_state(const struct thread *thread, uint64_t pointer);

#endif
