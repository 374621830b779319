/*
 * A system call of the program, as the registers of a context show it: where dispatch has told a
 * handler of it, right after the call's instruction, with nothing done yet. Pure.
 *
 * The result takes the place of the number on one processor, of an argument on another. So number
 * and arguments are read before the result is set.
 */
#ifndef LOADER_RESIDENT_ARCH_CALL_H
#define LOADER_RESIDENT_ARCH_CALL_H

#include "common/arch/bytes.h"
#include "loader/resident/arch/signal_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t call_number(const struct kernel_registers *registers);

/* Where an argument is: 0 to 5. */
static inline uint64_t *call_argument_place(struct kernel_registers *registers, unsigned argument);

/* What is in the register of the result, also before there is one. */
static inline long call_result(const struct kernel_registers *registers);
static inline void call_set_result(struct kernel_registers *registers, long result);

/* Goes back to the call's instruction, so that the program makes the call itself. */
static inline void call_back_up(struct kernel_registers *registers);

/* Sets the registers that the call's instruction itself changes. */
static inline void call_leave_traces(struct kernel_registers *registers);

/*
 * Registers of the gadget become the program's again, which were `saved` before the call. Two stay:
 * that of the result, and that of the number, which the kernel changes where the call is to go on
 * by restart_syscall(2).
 */
static inline void call_put_back(struct kernel_registers *registers,
				 const struct kernel_registers *saved);

/*
 * Whether the registers are those right after the instruction of a call that nobody has made. After
 * a call that has been made, they are `saved`, with the result.
 */
static inline bool call_may_be_missing(const struct kernel_registers *registers,
				       const struct kernel_registers *saved, uint64_t result);

/* Whether the program traces itself, instruction by instruction. */
static inline bool call_is_stepped(const struct kernel_registers *registers);

/* Whether a request of prctl(2), or of a call like it, ends lazy paging on this processor. */
static inline bool call_is_refused_request(int request);

/*
 * Whether these CALL_BYTES bytes are the call's instruction. Another number of the processor's
 * folder is CALL_NUMBERS_END, one more than the last number before 424.
 */
static inline bool call_is_instruction(const uint8_t *bytes);

#include ARCH_HEADER(call.h)

static inline uint64_t call_argument(const struct kernel_registers *registers, unsigned argument)
{
	return *call_argument_place((struct kernel_registers *)registers, argument);
}

#endif
