/* What a tracer asks of the registers of its tracee, which stands still. Async-signal-safe. */
#ifndef LOADER_RESIDENT_ARCH_TRACEE_H
#define LOADER_RESIDENT_ARCH_TRACEE_H

#include "common/arch/arch.h"
#include "common/arch/syscall.h"

#include <stdint.h>

/* The address of the instruction that comes next; 0 if the kernel does not tell. */
static inline uint64_t tracee_place(int32_t id);

#include ARCH_HEADER(tracee.h)

#endif
