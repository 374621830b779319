/* What a system call is given the addresses of. */
#ifndef LOADER_RESIDENT_CALLS_ARGUMENTS_H
#define LOADER_RESIDENT_CALLS_ARGUMENTS_H

#include "common/arch/x86_64/signal_frame.h"
#include "loader/resident/calls/system_calls.h"

/* Makes all of it present. Async-signal-safe. */
void arguments_reveal(struct system_call call, const struct kernel_registers *registers);

#endif
