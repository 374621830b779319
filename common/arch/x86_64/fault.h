/* What a SIGSEGV handler is told about the access that raised it. Pure; async-signal-safe. */
#ifndef ARCH_X86_64_FAULT_H
#define ARCH_X86_64_FAULT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

/* Bits of a page fault's error code (Intel SDM volume 3, 4.7), which the kernel passes on. */
#define FAULT_WRITE	  (1 << 1)
#define FAULT_INSTRUCTION (1 << 4)

struct fault {
	uint64_t address;     /* that was touched */
	uint64_t instruction; /* that touched it */
	int needs;	      /* PROT_WRITE, PROT_EXEC, or 0: x86 can read whatever is mapped */
	bool access_denied;   /* SEGV_ACCERR: there is a mapping, but it does not permit this */
	bool by_access;	      /* raised by an access to memory, not sent by a process */
};

static inline struct fault fault_of(const siginfo_t *info, const ucontext_t *context)
{
	long code = (long)context->uc_mcontext.gregs[REG_ERR];

	return (struct fault){
	    .address = (uint64_t)info->si_addr,
	    .instruction = (uint64_t)context->uc_mcontext.gregs[REG_RIP],
	    .needs = (code & FAULT_WRITE)	  ? PROT_WRITE
		     : (code & FAULT_INSTRUCTION) ? PROT_EXEC
						  : 0,
	    .access_denied = info->si_code == SEGV_ACCERR,
	    .by_access = info->si_code == SEGV_ACCERR || info->si_code == SEGV_MAPERR,
	};
}

#endif
