#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "common/page.h"

#include <errno.h>

/*
 * A signal frame does not show the exception, so an si_code of a fault has to be enough. A signal
 * that another process sends has 0 or less, but a process can send itself any si_code.
 */
static inline bool is_about_fault(const siginfo_t *info, const struct kernel_registers *registers)
{
	(void)registers;
	return info->si_signo == SIGBUS
		   ? info->si_code == BUS_ADRERR
		   : info->si_signo == SIGSEGV &&
			 (info->si_code == SEGV_ACCERR || info->si_code == SEGV_MAPERR);
}

/*
 * The 16 bits at a place in text, or 0, an illegal instruction, if they cannot be read: text may be
 * executable only. rt_sigprocmask reads the mask before it refuses the unknown `how`.
 */
static inline uint16_t instruction_half(uint64_t place)
{
	long result = raw_syscall6(SYS_rt_sigprocmask, UINT64_MAX, page_floor(place), 0,
				   KERNEL_SIGSET_SIZE, 0, 0);

	return result == -EFAULT ? 0 : *(const volatile uint16_t *)place;
}

/*
 * Whether the instruction at a place writes to memory (RISC-V Unprivileged ISA: "RV32/64G
 * Instruction Set Listings", and the chapters of C, Zcb, Zalasr and CMO). An instruction of 16 bits
 * has other than 3 in its lowest two bits.
 */
static inline bool instruction_writes(uint64_t place)
{
	unsigned first = instruction_half(place), kind = first & 3, function = first >> 13, atomic;

	if (kind == 0 && function == 4)
		return (first & 0x0800) != 0; /* c.sb and c.sh; the others load */
	if (kind != 3)
		return kind != 1 && function >= 5;
	switch (first & 0x7f) {
	case 0x23: /* STORE */
	case 0x27: /* STORE-FP and stores of vectors */
		return true;
	case 0x2f: /* AMO, with loads: lr and those with acquire */
		atomic = instruction_half(place + 2) >> 11;
		return atomic != 2 && atomic != 6;
	case 0x0f: /* MISC-MEM, with cbo.*, which fault as stores do */
		return (first >> 12 & 7) == 2;
	default:
		return false;
	}
}

/*
 * The kernel does not report which access a fault was, so the instruction is read. Its second half
 * can be on the next page.
 */
static inline struct fault fault_of(int number, const siginfo_t *info,
				    const struct kernel_context *context)
{
	uint64_t address = (uint64_t)info->si_addr, place = context->registers.pc;
	bool by_access = is_about_fault(info, &context->registers);
	bool execute = address == place || address == place + 2;

	return (struct fault){
	    .signal = number,
	    .code = info->si_code,
	    .address = address,
	    .instruction = place,
	    .write = by_access && !execute && instruction_writes(place),
	    .execute = execute,
	    .by_access = by_access,
	};
}

static inline bool is_about_exception(const siginfo_t *info,
				      const struct kernel_registers *registers)
{
	return info->si_code == SI_KERNEL || is_about_fault(info, registers) ||
	       (uint64_t)info->si_addr == registers->pc;
}

/* There is nothing to keep. */
static inline void exception_keep(struct kernel_exception *exception, const siginfo_t *info,
				  const struct kernel_registers *registers)
{
	(void)exception;
	(void)info;
	(void)registers;
}

static inline void exception_show(const struct kernel_exception *exception,
				  struct kernel_registers *registers)
{
	(void)exception;
	(void)registers;
}
