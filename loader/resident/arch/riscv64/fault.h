#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "common/page.h"

#include <errno.h>

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

/* What access_base returns for an instruction that accesses no memory, and for an unknown one. */
#define ACCESS_NONE    32
#define ACCESS_UNKNOWN 33

/* How far from its base register a load or store reaches: 12 bits with a sign, and a block. */
#define ACCESS_REACH (2048 + 64)

static inline unsigned access_base_long(unsigned first, unsigned second)
{
	unsigned width = first >> 12 & 7;

	switch (first & 0x7f) {
	case 0x07: /* LOAD-FP and STORE-FP. The widths of vectors are 0 and from 5 on. */
	case 0x27:
		if (width == 0 || width > 4)
			return ACCESS_UNKNOWN;
		break;
	case 0x0f: /* MISC-MEM: fences, and cbo.* */
		if (width != 2)
			return ACCESS_NONE;
		break;
	case 0x73: /* SYSTEM: reads of the clock, and accesses by a hypervisor */
		return width == 4 ? ACCESS_UNKNOWN : ACCESS_NONE;
	case 0x03: /* LOAD, STORE, AMO */
	case 0x23:
	case 0x2f:
		break;
	case 0x13: /* OP-IMM, OP, OP-FP, LUI, AUIPC */
	case 0x1b:
	case 0x33:
	case 0x3b:
	case 0x53:
	case 0x37:
	case 0x17:
	case 0x63: /* BRANCH, JALR, JAL */
	case 0x67:
	case 0x6f:
		return ACCESS_NONE;
	default:
		return ACCESS_UNKNOWN;
	}
	return (second << 1 | first >> 15) & 31;
}

/* The number of the register to which the instruction at a place adds an offset for an access. */
static inline unsigned access_base(uint64_t place)
{
	unsigned first = instruction_half(place), kind = first & 3, function = first >> 13;

	if (first == 0) /* It cannot be read. */
		return ACCESS_UNKNOWN;
	if (kind == 3)
		return access_base_long(first, instruction_half(place + 2));
	if (kind == 1 || function == 0 || (kind == 2 && function == 4))
		return ACCESS_NONE;
	return kind == 2 ? 2 : 8 + (first >> 7 & 7); /* 2 is sp */
}

/*
 * Whether the instruction that a signal interrupted may have accessed an address. True also for an
 * unknown instruction. In a frame pc is in the place of x0, and x1 to x31 follow.
 */
static inline bool may_have_accessed(const struct kernel_registers *registers, uint64_t address)
{
	unsigned base = access_base(registers->pc);

	if (base >= ACCESS_NONE)
		return base == ACCESS_UNKNOWN;
	if (base != 0)
		address -= ((const uint64_t *)registers)[base];
	return address + ACCESS_REACH < 2 * ACCESS_REACH;
}

/*
 * A signal frame does not show the exception, and a sent signal may have any si_code: the end of a
 * child has that of a page fault, and its process ID is at the place of the address. So the
 * interrupted instruction must be one that can have accessed the address, or lie there. Its second
 * half can be on the next page.
 */
static inline bool is_about_fault(const siginfo_t *info, const struct kernel_registers *registers)
{
	uint64_t address = (uint64_t)info->si_addr;
	bool by_code = info->si_signo == SIGBUS
			   ? info->si_code == BUS_ADRERR
			   : info->si_signo == SIGSEGV &&
				 (info->si_code == SEGV_ACCERR || info->si_code == SEGV_MAPERR);

	return by_code && (address == registers->pc || address == registers->pc + 2 ||
			   may_have_accessed(registers, address));
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
