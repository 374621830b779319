/* What a handler of SIGSEGV or SIGBUS learns about the access that raised the signal. Resident. */
#pragma once

#include "loader/resident/arch/signal_frame.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fault {
	int signal;	      /* signal number */
	int code;	      /* si_code */
	uint64_t address;     /* the address that was accessed */
	uint64_t instruction; /* address of the instruction that made the access */
	bool write;	      /* the access was a write; false also if that is not known */
	bool execute;	      /* the access was the fetch of an instruction */
	bool by_access;	      /* raised by a memory access, not sent by a process */
};

/*
 * Whether the page fault that was the processor's last exception raised a signal. A process may
 * send itself a siginfo that claims so, but cannot change what the kernel saves.
 */
static inline bool is_about_fault(const siginfo_t *info, const struct kernel_registers *registers);

static inline struct fault fault_of(int number, const siginfo_t *info,
				    const struct kernel_context *context);

/*
 * Whether an exception of the processor, or the kernel for it, raised a signal with an si_code
 * above 0. The registers show the last exception.
 */
static inline bool is_about_exception(const siginfo_t *info,
				      const struct kernel_registers *registers);

/*
 * Keeps the last exception that the registers show, unless it was a fault that did not raise this
 * signal. The kernel can raise an exception's signal without an exception, for example for a frame
 * that rt_sigreturn refuses. Then it still remembers the last fault.
 */
static inline void exception_keep(struct kernel_exception *exception, const siginfo_t *info,
				  const struct kernel_registers *registers);

/* Writes a kept exception to registers. */
static inline void exception_show(const struct kernel_exception *exception,
				  struct kernel_registers *registers);

#include ARCH_HEADER(fault.h)
