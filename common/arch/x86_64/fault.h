/* What a handler of SIGSEGV or SIGBUS is told about the access that raised it. Pure. */
#ifndef ARCH_X86_64_FAULT_H
#define ARCH_X86_64_FAULT_H

#include "common/arch/x86_64/signal_frame.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* The bits of the processor's error code that say so (SDM volume 3, 4.7). */
#define FAULT_WRITE 2
#define FAULT_FETCH 16

/* The number of the page fault exception. */
#define FAULT_TRAP 14

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
static inline bool is_about_fault(const siginfo_t *info, const struct kernel_registers *registers)
{
	return registers->trap_number == FAULT_TRAP &&
	       registers->fault_address == (uint64_t)info->si_addr;
}

/* The exception of gVisor's kernel is always 0, and tells nothing: its address has to do. */
static inline struct fault fault_of(int number, const siginfo_t *info,
				    const struct kernel_context *context)
{
	const struct kernel_registers *registers = &context->registers;

	return (struct fault){
	    .signal = number,
	    .code = info->si_code,
	    .address = (uint64_t)info->si_addr,
	    .instruction = registers->rip,
	    .write = (registers->error_code & FAULT_WRITE) != 0,
	    .execute = (registers->error_code & FAULT_FETCH) != 0,
	    .by_access =
		registers->fault_address == (uint64_t)info->si_addr &&
		(registers->trap_number == FAULT_TRAP || registers->trap_number == 0) &&
		(number == SIGBUS ? info->si_code == BUS_ADRERR
				  : info->si_code == SEGV_ACCERR || info->si_code == SEGV_MAPERR),
	};
}

#endif
