/*
 * A system call of the program, in the registers of a signal context. Dispatch has called the
 * handler just after the call's instruction, before anything was done. Pure.
 *
 * The result replaces the number on one processor, and an argument on another. So number and
 * arguments are read before the result is set.
 */
#pragma once

#include "common/arch/bytes.h"
#include "loader/resident/arch/signal_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t call_number(const struct kernel_registers *registers);

/* The place of an argument in the registers; `argument` is 0 to 5. */
static inline uint64_t *call_argument_place(struct kernel_registers *registers, unsigned argument);

/*
 * The last two arguments of clone(2) come in an order of the processor's: its folder defines the
 * indices CALL_CLONE_TLS and CALL_CLONE_CHILD_ID, and CALL_CLONE_LAST(child_id, tls), the two in
 * that order.
 */

/* The value in the register of the result, even before there is a result. */
static inline long call_result(const struct kernel_registers *registers);
static inline void call_set_result(struct kernel_registers *registers, long result);

/* Goes back to the call's instruction, so that the program makes the call itself. */
static inline void call_back_up(struct kernel_registers *registers);

/* Sets the registers that the call's instruction itself changes. */
static inline void call_leave_traces(struct kernel_registers *registers);

/*
 * Restores the program's registers, `saved` before the call, after the gadget has changed them. If
 * the call has been made, the result stays. The number stays: the kernel changes it if the call is
 * to continue by restart_syscall(2).
 */
static inline void call_put_back(struct kernel_registers *registers,
				 const struct kernel_registers *saved, bool made);

/*
 * Whether the registers may be those just after the instruction of a call that has not been made.
 * After a call that has been made, they are `saved`, with the result.
 */
static inline bool call_may_be_missing(const struct kernel_registers *registers,
				       const struct kernel_registers *saved, uint64_t result);

/* Whether the program traces itself, instruction by instruction. */
static inline bool call_is_stepped(const struct kernel_registers *registers);

/* Whether a request of prctl(2), or of a similar call, ends lazy paging on this processor. */
static inline bool call_is_refused_request(int request);

/*
 * Whether these CALL_BYTES bytes are the call's instruction. The processor's folder also defines
 * CALL_NUMBERS_END, one more than the last call number before 424.
 */
static inline bool call_is_instruction(const uint8_t *bytes);

#include ARCH_HEADER(call.h)

static inline uint64_t call_argument(const struct kernel_registers *registers, unsigned argument)
{
	return *call_argument_place((struct kernel_registers *)registers, argument);
}
