/*
 * Instructions that the kernel emulates, and writes to memory for. Given hidden memory it raises
 * SIGSEGV, where an instruction would find a page that is there. Resident; async-signal-safe.
 */
#ifndef LOADER_RESIDENT_ARCH_EMULATION_H
#define LOADER_RESIDENT_ARCH_EMULATION_H

#include "loader/resident/arch/signal_frame.h"

#include <stdbool.h>
#include <stdint.h>

/* What the kernel writes for one of them at most. */
#define EMULATED_BYTES 16

/* Whether a call is emulated here, whose first two arguments are addresses to write to. */
static inline bool emulation_is_call(const struct kernel_registers *registers);

/* Whether the instruction at a place is one that the kernel emulates. Copies from the program. */
bool emulation_is_instruction(uint64_t place);

#include ARCH_HEADER(emulation.h)

#endif
