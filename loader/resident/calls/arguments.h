/*
 * The memory that arguments of system calls point to. Resident; async-signal-safe; called in the
 * handler of SIGSYS unless a comment says otherwise.
 */
#pragma once

#include "loader/resident/arch/call.h"
#include "loader/resident/calls/system_calls.h"

#include <stdint.h>

/* Makes the memory present that the arguments point to. */
void arguments_reveal(struct system_call kind, const struct call *call);

/*
 * What the argument of an ioctl request points to: ARGUMENT_P, ARGUMENT_S, or ARGUMENT_V if that is
 * not known.
 */
enum argument arguments_of(uint64_t request);
