/*
 * The gadget (gadget.S) makes the program's system calls outside any handler, so that they can be
 * interrupted, restarted and cancelled as usual.
 */
#pragma once

#include "loader/resident/threads/thread.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Lets the gadget make a call after the handler returns. The gadget takes the arguments from the
 * context as it is when the handler returns, and afterwards restores the program's own registers.
 */
void gadget_enter(struct thread *thread, struct kernel_context *context);

/*
 * Moves a thread that a signal found in the gadget to the program's own instruction: the context
 * becomes that before the call or after it. Returns the set of blocked signals, including the
 * managed ones.
 */
uint64_t gadget_unwind(struct thread *thread, struct kernel_context *context);

/*
 * Records that a signal has interrupted a handler of the loader, which checks for that before it
 * ends.
 */
void gadget_news(struct thread *thread, struct kernel_context *context);

/* Whether an instruction is in resident code outside the gadget. */
bool gadget_is_ours(uint64_t instruction);
