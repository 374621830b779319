#include "loader/resident/arch/call.h"

/* ESR_EL1 (Arm ARM, D17.2.37): the class of the exception, and for an abort what the access was. */
#define EXCEPTION_CLASS(exception) ((exception) >> 26 & 0x3f)
#define CLASS_FETCH		   0x20 /* instruction abort from user mode */
#define CLASS_ACCESS		   0x24 /* data abort from user mode */
#define ABORT_WRITE		   (1 << 6)
#define ABORT_CACHE		   (1 << 8) /* cache maintenance, for which ABORT_WRITE is set, too */

/* The kernel passes the tag of an address to a handler with SA_EXPOSE_TAGBITS. */
static inline uint64_t untagged_fault(const siginfo_t *info)
{
	return call_untagged((uint64_t)info->si_addr);
}

static inline bool exception_is_known(const struct kernel_registers *registers)
{
	return registers->exception_magic == EXCEPTION_MAGIC;
}

static inline bool exception_is_abort(const struct kernel_registers *registers)
{
	uint64_t class = EXCEPTION_CLASS(registers->exception);

	return exception_is_known(registers) && (class == CLASS_FETCH || class == CLASS_ACCESS);
}

static inline bool is_about_fault(const siginfo_t *info, const struct kernel_registers *registers)
{
	return exception_is_abort(registers) && registers->fault_address == untagged_fault(info);
}

static inline struct fault fault_of(int number, const siginfo_t *info,
				    const struct kernel_context *context)
{
	const struct kernel_registers *registers = &context->registers;
	bool fetch = EXCEPTION_CLASS(registers->exception) == CLASS_FETCH;

	return (struct fault){
	    .signal = number,
	    .code = info->si_code,
	    .address = untagged_fault(info),
	    .instruction = registers->pc,
	    .write = exception_is_abort(registers) && !fetch &&
		     (registers->exception & (ABORT_WRITE | ABORT_CACHE)) == ABORT_WRITE,
	    .execute = exception_is_abort(registers) && fetch,
	    .by_access =
		is_about_fault(info, registers) &&
		(number == SIGBUS ? info->si_code == BUS_ADRERR
				  : info->si_code == SEGV_ACCERR || info->si_code == SEGV_MAPERR),
	};
}

/*
 * Other exceptions than aborts have the address of their instruction (arm64_notify_die). For an
 * undefined instruction the kernel saves no ESR (do_el0_undef).
 */
static inline bool is_about_exception(const siginfo_t *info,
				      const struct kernel_registers *registers)
{
	return is_about_fault(info, registers) ||
	       (!exception_is_abort(registers) && (uint64_t)info->si_addr == registers->pc);
}

static inline void exception_keep(struct kernel_exception *exception, const siginfo_t *info,
				  const struct kernel_registers *registers)
{
	if (!exception_is_known(registers) ||
	    (exception_is_abort(registers) && !is_about_fault(info, registers)))
		return;
	exception->exception = registers->exception;
	exception->fault_address = registers->fault_address;
}

/* The record is missing after an undefined instruction, and before the first exception. */
static inline void exception_show(const struct kernel_exception *exception,
				  struct kernel_registers *registers)
{
	registers->fault_address = exception->fault_address;
	if (exception_is_known(registers))
		registers->exception = exception->exception;
}
