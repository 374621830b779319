/*
 * A system call of the program. The handler finds the registers just after the call's instruction,
 * before anything was done. Pure.
 */
#pragma once

#include "common/arch/bytes.h"
#include "loader/resident/arch/signal_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the program asks for. It is read from the registers once: the result replaces the number on
 * one processor, and an argument on another.
 */
struct call {
	uint64_t number;
	uint64_t arguments[6];
	uint64_t place; /* the address of the next instruction */
	uint64_t stack; /* the program's stack pointer */
};

/*
 * From the processor's folder:
 *
 *   CALL_REGISTER, RESULT_REGISTER
 *                            the members of struct kernel_registers with the number and the result
 *   CALL_BYTES               the length of the call's instruction
 *   CALL_NUMBERS_END         one more than the last call number before 424
 *   CALL_CLONE_TLS, CALL_CLONE_CHILD_ID
 *                            the indices of the last two arguments of clone(2)
 *   CALL_CLONE_LAST(child_id, tls)
 *                            these two arguments in the processor's order
 *
 * With ARCH_REWRITES, whose instructions have 4 bytes, also:
 *
 *   CALL_INSTRUCTION         the call's instruction
 *   CALL_OPERAND, CALL_OPERAND_SHIFT
 *                            its bits that the kernel ignores, and their place
 *   CALL_REWRITTEN           the undefined instruction that replaces it; an operand changes its
 *                            lowest bits
 *   CALL_RETURN_NUMBER       the instruction before it in the C libraries' restorers of handlers
 */

/* The register of an argument, by index. */
static inline uint64_t *call_argument_place(struct kernel_registers *registers, unsigned argument);

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
 * The address that an argument of a call for mappings means: on some processors, the kernel ignores
 * its highest bits. Other calls refuse such an address.
 */
static inline uint64_t call_untagged(uint64_t address);

/* Whether these CALL_BYTES bytes are the call's instruction. */
static inline bool call_is_instruction(const uint8_t *bytes);

#include ARCH_HEADER(call.h)

/* Without loops: resident code is optimized for size, and this runs at each call. */
#define CALL_ARGUMENT(argument)                                                                    \
	(*call_argument_place((struct kernel_registers *)registers, argument))

static inline struct call call_of(const struct kernel_registers *registers)
{
	return (struct call){.number = registers->CALL_REGISTER,
			     .arguments = {CALL_ARGUMENT(0), CALL_ARGUMENT(1), CALL_ARGUMENT(2),
					   CALL_ARGUMENT(3), CALL_ARGUMENT(4), CALL_ARGUMENT(5)},
			     .place = registers->REGISTER_PLACE,
			     .stack = registers->REGISTER_STACK};
}

/* Sets the arguments of a call, and the place of the instruction that makes it. */
static inline void call_set(struct kernel_registers *registers, const struct call *call,
			    uint64_t place)
{
	registers->REGISTER_PLACE = place;
	CALL_ARGUMENT(0) = call->arguments[0];
	CALL_ARGUMENT(1) = call->arguments[1];
	CALL_ARGUMENT(2) = call->arguments[2];
	CALL_ARGUMENT(3) = call->arguments[3];
	CALL_ARGUMENT(4) = call->arguments[4];
	CALL_ARGUMENT(5) = call->arguments[5];
}

#undef CALL_ARGUMENT

/* The value in the register of the result, even before there is a result. */
static inline long call_result(const struct kernel_registers *registers)
{
	return (long)registers->RESULT_REGISTER;
}

static inline void call_set_result(struct kernel_registers *registers, long result)
{
	registers->RESULT_REGISTER = (uint64_t)result;
}

/* Goes back to the call's instruction, so that the program makes the call itself. */
static inline void call_back_up(struct kernel_registers *registers)
{
	registers->REGISTER_PLACE -= CALL_BYTES;
}
