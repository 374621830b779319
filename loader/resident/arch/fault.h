/* What a handler of SIGSEGV or SIGBUS is told about the access that raised it. Pure. */
#ifndef LOADER_RESIDENT_ARCH_FAULT_H
#define LOADER_RESIDENT_ARCH_FAULT_H

#include "loader/resident/arch/signal_frame.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct fault {
	int signal;	      /* its number */
	int code;	      /* si_code */
	uint64_t address;     /* that was touched */
	uint64_t instruction; /* that touched it */
	bool write;	      /* the access was one; false for any other */
	bool execute;	      /* the access was the fetch of an instruction */
	bool by_access;	      /* raised by an access to memory, not sent by a process */
};

/*
 * Whether a signal is about the page fault that was the processor's last exception. A process may
 * send itself a signal that says so, but not change what is saved.
 */
static inline bool is_about_fault(const siginfo_t *info, const struct kernel_registers *registers);

static inline struct fault fault_of(int number, const siginfo_t *info,
				    const struct kernel_context *context);

#include ARCH_HEADER(fault.h)

#endif
