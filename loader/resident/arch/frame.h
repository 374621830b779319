/*
 * The layout of a signal frame, and the state in which a handler starts: what the kernel does in
 * its arch/NAME/kernel/signal.c. Implemented by frame.c in the processor's folder. Resident;
 * async-signal-safe.
 */
#pragma once

#include "common/kernel_abi.h"
#include "loader/resident/arch/signal_frame.h"

#include <stdbool.h>
#include <stdint.h>

/* The addresses of the parts of a new frame. */
struct frame_places {
	uint64_t floating_point; /* 0: there is none, or it is inside the frame */
	uint64_t frame;		 /* also the stack pointer that the handler starts with */
};

/*
 * From the processor's folder:
 *
 *   FRAME_STARTS_INSIDE, FRAME_NESTS_INSIDE
 *                            whether the kernel refuses a frame that does not fit on the alternate
 *                            stack (get_sigframe): of the first handler there, of a nested one
 */

/* Places below an address, for a frame that shows a context as long as this one. */
struct frame_places frame_places_below(uint64_t address, const struct kernel_context *context);

/* The context that rt_sigreturn was called for with this stack pointer. */
static inline const struct kernel_context *frame_returned(uint64_t stack);

/* Whether a handler's frame has a siginfo. */
static inline bool frame_has_info(const struct kernel_sigaction *action);

/* Whether a handler could return. On some processors that needs the action's restorer. */
static inline bool frame_can_return(const struct kernel_sigaction *action);

/*
 * Writes a frame onto a stack of the program, which may be hidden or missing. The frame has the
 * floating-point state of `context`, and the other registers of `shown`. If `info` is NULL, the
 * place for a siginfo keeps its contents. Returns false if the frame cannot be written.
 */
bool frame_write(const struct frame_places *places, const struct kernel_context *context,
		 struct kernel_context *shown, const void *info,
		 const struct kernel_sigaction *action);

/*
 * Writes a context and its floating-point state to resident memory, so that rt_sigreturn can use
 * it.
 */
struct signal_frame *frame_copy(const struct frame_places *places,
				const struct kernel_context *context);

/* Changes the context to that of a handler that starts, with its frame at these places. */
void frame_begin_handler(struct kernel_context *context, const struct frame_places *places,
			 int number, const struct kernel_sigaction *action);

/* Whether the processor has protection keys and the kernel uses them. */
bool frame_has_keys(const struct kernel_context *context);

/*
 * The child of a fork or clone returns from a copy of its parent's frame. Called in the child.
 * Removes from the context what the kernel would refuse there, and sets the thread pointer if it
 * is a register of the frame.
 */
static inline void frame_begin_child(struct kernel_context *context);

/*
 * Gives a context the floating-point state of a frame of the program, unless rt_sigreturn reads it
 * there itself (frame_outside). Returns false if the kernel would refuse the frame.
 */
bool frame_take_state(struct kernel_context *context, const struct kernel_context *from);

/*
 * Copies the context for a thread's last return (thread.h) to the thread's block. A word of the
 * copy that is zero, and that rt_sigreturn reads, is alone on the block's page FRAME_EMPTY_PAGE,
 * counted from 0. `page` is the address of that page, which has no memory. If the copy cannot be
 * made so, the page gets memory.
 */
struct kernel_context *frame_last(uint64_t page, const struct kernel_context *context);

/*
 * The memory outside the frame that rt_sigreturn reads for a context of the program: its address,
 * or 0 for none. `bytes` is at least its length.
 *
 * With ARCH_REWRITES the processor's folder also has resident_launch_return, the address that
 * handlers return to. Host code sets it to that in the vDSO.
 */
static inline uint64_t frame_outside(const struct kernel_context *context, uint64_t *bytes);

/*
 * With ARCH_REWRITES: whether the kernel changes a part of the state in a call that only the kernel
 * can change.
 */
bool frame_needs_kernel(const struct kernel_context *context);

/*
 * With ARCH_REWRITES: whether the frame that rt_sigreturn was called for is too long for
 * frame_take_state().
 */
bool frame_is_long(uint64_t stack);

#include ARCH_HEADER(frame.h)
