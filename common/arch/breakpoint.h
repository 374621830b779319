/*
 * The instruction of a breakpoint. It is one byte long, so that one store sets or removes it while
 * other threads execute the code there.
 */
#pragma once

#include "common/arch/arch.h"

/*
 * BREAKPOINT, from the processor's folder: the byte. It raises SIGTRAP with the code SI_KERNEL, and
 * the address after it is in the context.
 */
#include ARCH_HEADER(breakpoint.h)
