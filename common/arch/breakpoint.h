/*
 * The instruction of a breakpoint. It is one byte long, so one store puts it in force or takes it
 * away, while other threads execute what is there.
 */
#ifndef COMMON_ARCH_BREAKPOINT_H
#define COMMON_ARCH_BREAKPOINT_H

#include "common/arch/arch.h"

/*
 * From the processor's folder: BREAKPOINT, the byte, which raises SIGTRAP with the code SI_KERNEL
 * and the address after it in the context.
 */
#include ARCH_HEADER(breakpoint.h)

#endif
