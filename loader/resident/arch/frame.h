/*
 * How a signal frame is laid out, and in which state a handler begins: what the kernel does in its
 * arch/NAME/kernel/signal.c. From frame.c in the processor's folder. Resident; async-signal-safe.
 */
#ifndef LOADER_RESIDENT_ARCH_FRAME_H
#define LOADER_RESIDENT_ARCH_FRAME_H

#include "common/kernel_abi.h"
#include "loader/resident/arch/signal_frame.h"

#include <stdbool.h>
#include <stdint.h>

/* Where the parts of a new frame go. */
struct frame_places {
	uint64_t floating_point; /* 0: there is none, or it is inside of the frame */
	uint64_t frame;		 /* also the stack pointer that the handler begins with */
};

/* Below an address, for a frame that shows a context as long as this one. */
struct frame_places frame_places_below(uint64_t address, const struct kernel_context *context);

/* Where the context is that rt_sigreturn was called for. */
static inline const struct kernel_context *frame_returned(const struct kernel_registers *registers);

/* Whether a handler could return: on some processors only by a function that came with it. */
static inline bool frame_can_return(const struct kernel_sigaction *action);

/*
 * Writes a frame onto a stack of the program, which may be hidden or missing: false if it cannot be
 * written. It has the floating-point state of `context`, whose other registers are in `shown`. What
 * the place for a siginfo had stays there if `info` is NULL.
 */
bool frame_write(const struct frame_places *places, const struct kernel_context *context,
		 struct kernel_context *shown, const void *info,
		 const struct kernel_sigaction *action);

/* Writes a context and its floating-point state to memory of ours, where it can be returned from.
 */
struct signal_frame *frame_copy(const struct frame_places *places,
				const struct kernel_context *context);

/* The context becomes that of a handler which begins, with its frame at these places. */
void frame_begin_handler(struct kernel_context *context, const struct frame_places *places,
			 int number, const struct kernel_sigaction *action);

/* Whether the processor has protection keys and the kernel uses them. */
bool frame_has_keys(const struct kernel_context *context);

/*
 * The memory outside of a frame that rt_sigreturn reads for a context of the program's: its address
 * or 0, and no less bytes than it has.
 */
static inline uint64_t frame_outside(const struct kernel_context *context, uint64_t *bytes);

#include ARCH_HEADER(frame.h)

#endif
