/*
 * The gadget (gadget.S) makes the program's system calls outside any handler, so that they can be
 * interrupted, restarted and canceled as usual.
 */
#pragma once

#include "loader/resident/arch/call.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Lets the gadget make a call after the handler returns, with these arguments. Afterwards the
 * gadget restores the program's own registers.
 */
void gadget_enter(struct thread *thread, const struct call *call, struct kernel_context *context);

/*
 * Moves a thread that a signal found in the gadget to before or after the program's own
 * instruction. Returns the set of blocked signals, including the managed ones.
 */
uint64_t gadget_unwind(struct thread *thread, struct kernel_context *context);

/*
 * Records that a signal has interrupted a handler of the loader, which checks for that before it
 * ends.
 */
void gadget_news(struct thread *thread, struct kernel_context *context);

/* Where an instruction is: places.def lists the places, and what a thread does there. */
enum place {
	PLACE_PROGRAM, /* outside resident code */
#define PLACE(name, start, end, meaning) PLACE_##name,
#include "loader/resident/arch/places.def"
};

enum place gadget_place(uint64_t instruction);

/* Whether the gadget has made the program's call. No instruction there touches memory. */
static inline bool place_is_after_call(enum place place)
{
	return place == PLACE_RESULT || place == PLACE_STORED;
}

/* Whether a place is in resident code outside the gadget. */
static inline bool place_is_ours(enum place place)
{
	return place > PLACE_STORED;
}
