/* What a tracer reads from the registers of its stopped tracee. Async-signal-safe. */
#pragma once

#include "common/arch/arch.h"
#include "common/arch/syscall.h"

#include <stdint.h>

/* The address of the next instruction; 0 if the kernel does not report it. */
static inline uint64_t tracee_place(int32_t id);

#include ARCH_HEADER(tracee.h)
