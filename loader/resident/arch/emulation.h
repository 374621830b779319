/*
 * Operations that the kernel emulates, and for which it writes to memory. If that memory is hidden,
 * the kernel raises SIGSEGV at the emulated operation. Resident; async-signal-safe.
 */
#pragma once

#include "loader/resident/arch/signal_frame.h"

#include <stdbool.h>
#include <stdint.h>

/* The most bytes that the kernel writes to one address for an operation. */
#define EMULATED_BYTES 16

/*
 * Whether the registers are at an emulated call. Its first two arguments are addresses that the
 * kernel writes to.
 */
static inline bool emulation_is_call(const struct kernel_registers *registers);

/*
 * Whether the instruction at a place is one that the kernel emulates. Reads the program's memory.
 */
bool emulation_is_instruction(uint64_t place);

#include ARCH_HEADER(emulation.h)
