/*
 * The instruction of a breakpoint. One store sets or removes it while other threads execute the
 * code there.
 */
#pragma once

#include "common/arch/arch.h"

#include <signal.h>
#include <stdint.h>

/* Called after a breakpoint has been set or removed. */
static inline void breakpoint_changed(const void *place);

/*
 * From the processor's folder:
 *
 *   BREAKPOINT         the instruction, which raises SIGTRAP
 *   BREAKPOINT_WORD    an integer type of its length
 *   BREAKPOINT_BEHIND  how many bytes the place in the context is behind it
 *   BREAKPOINT_CODE    the si_code of that SIGTRAP
 */
#include ARCH_HEADER(breakpoint.h)
