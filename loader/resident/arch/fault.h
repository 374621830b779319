/* What a handler of SIGSEGV or SIGBUS is told about the access that raised it. Pure. */
#ifndef LOADER_RESIDENT_ARCH_FAULT_H
#define LOADER_RESIDENT_ARCH_FAULT_H

#include "loader/resident/arch/signal_frame.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fault {
	int signal;	      /* its number */
	int code;	      /* si_code */
	uint64_t address;     /* that was touched */
	uint64_t instruction; /* that touched it */
	bool write;	      /* the access was one; false for any other, or where none can tell */
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

/*
 * Whether a signal with an si_code above 0 is about an exception of the processor's, or of the
 * kernel for it, by what the registers say of the last one.
 */
static inline bool is_about_exception(const siginfo_t *info,
				      const struct kernel_registers *registers);

/*
 * Keeps what the registers say of the last exception, unless that was a fault which the signal, one
 * of exceptions, is not about: where the kernel raises a signal without one, as for a frame that
 * rt_sigreturn refuses, it still remembers the last fault.
 */
static inline void exception_keep(struct kernel_exception *exception, const siginfo_t *info,
				  const struct kernel_registers *registers);

/* Lets registers say the same again. */
static inline void exception_show(const struct kernel_exception *exception,
				  struct kernel_registers *registers);

#include ARCH_HEADER(fault.h)

#endif
