/* Signal frames on the program's stacks, and the program's alternate stack. */
#pragma once

#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/* A signal that is being delivered to the program. */
struct arrival {
	int number;
	bool forced; /* an exception: cannot be ignored or deferred */
	const void *info;
};

/*
 * Makes the program's handler start next: pushes a frame and changes the context. `mask` is blocked
 * in the handler in addition to the signals that its action names. Returns false if there is no
 * room for a frame.
 */
bool frame_push(struct thread *thread, struct kernel_context *context,
		const struct arrival *arrival, const struct kernel_sigaction *action,
		uint64_t mask);

/*
 * Reads the program's context back from a signal frame, for a return with this stack pointer.
 * Returns false if the frame cannot be read.
 */
bool frame_pop(struct thread *thread, struct kernel_context *context, uint64_t stack);

/*
 * Writes a frame at the upper end of a new thread's own stack. The thread will continue as the
 * context says, with the result 0.
 */
struct signal_frame *frame_of_child(const struct thread *child,
				    const struct kernel_context *context);

/* Answers sigaltstack(2): returns 0 or -errno. `pointer` is the program's stack pointer. */
long frame_set_stack(struct thread *thread, const struct kernel_stack *stack, uint64_t pointer);

/* The state of the alternate stack for a stack pointer: SS_ONSTACK, SS_DISABLE or 0. */
int frame_stack_state(const struct thread *thread, uint64_t pointer);
