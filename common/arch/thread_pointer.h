/* The thread pointer of the calling thread, as set by the C library. */
#pragma once

#include "common/arch/arch.h"

#include <stdint.h>

static inline uint64_t thread_pointer(void);

#include ARCH_HEADER(thread_pointer.h)
