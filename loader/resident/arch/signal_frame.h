/*
 * What the kernel pushes onto a stack before it calls a signal handler (struct rt_sigframe in
 * arch/NAME of the kernel), and what rt_sigreturn reads. The C library's ucontext_t starts the same
 * way but may be longer.
 */
#pragma once

#include "common/arch/arch.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* sigaltstack(2) */
struct kernel_stack {
	uint64_t start;
	int32_t flags;
	uint64_t bytes;
};

/*
 * From the processor's folder:
 *
 *   struct kernel_registers  the program's registers, which call.h and fault.h read
 *   struct kernel_context    with the members `stack`, `registers` and `mask`: the signals that are
 *                            blocked, which rt_sigreturn restores
 *   struct signal_frame      with the members `context` and `info`, a siginfo_t
 *   struct kernel_exception  what a context says of the processor's last exception (fault.h)
 *   REGISTER_PLACE, REGISTER_STACK
 *                            the members of struct kernel_registers with the address of the next
 *                            instruction and the stack pointer
 *   RED_ZONE_BYTES           below the stack pointer belong to the function that runs
 */
#include ARCH_HEADER(signal_frame.h)

/* The address of the next instruction. */
static inline uint64_t registers_place(const struct kernel_registers *registers)
{
	return registers->REGISTER_PLACE;
}

static inline void registers_set_place(struct kernel_registers *registers, uint64_t place)
{
	registers->REGISTER_PLACE = place;
}

static inline uint64_t registers_stack(const struct kernel_registers *registers)
{
	return registers->REGISTER_STACK;
}

static inline void registers_set_stack(struct kernel_registers *registers, uint64_t pointer)
{
	registers->REGISTER_STACK = pointer;
}
