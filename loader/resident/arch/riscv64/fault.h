#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "common/page.h"

#include <errno.h>

static inline bool is_readable_text(uint64_t place)
{
	/* rt_sigprocmask reads the mask before it refuses the unknown `how`. */
	return raw_syscall6(SYS_rt_sigprocmask, UINT64_MAX, page_floor(place), 0,
			    KERNEL_SIGSET_SIZE, 0, 0) != -EFAULT;
}

/*
 * The instruction at a place. One of 16 bits has other than 3 in its lowest two bits, and the other
 * 16 bits are 0. 0, an illegal instruction, if it cannot be read: text may be executable only. An
 * instruction of 32 bits can be on two pages.
 */
static inline uint32_t instruction_at(uint64_t place)
{
	const volatile uint16_t *halves = (const volatile uint16_t *)place;
	uint32_t first;

	if (!is_readable_text(place))
		return 0;
	first = halves[0];
	if ((first & 3) != 3)
		return first;
	if (page_floor(place + 2) != page_floor(place) && !is_readable_text(place + 2))
		return 0;
	return first | (uint32_t)halves[1] << 16;
}

/*
 * Whether an instruction writes to memory (RISC-V Unprivileged ISA: "RV32/64G Instruction Set
 * Listings", and the chapters of C, Zcb, Zalasr and CMO).
 */
static inline bool instruction_writes(uint32_t instruction)
{
	unsigned kind = instruction & 3, function = instruction >> 13, atomic;

	if (kind == 0 && function == 4)
		return (instruction & 0x0800) != 0; /* c.sb and c.sh; the others load */
	if (kind != 3)
		return kind != 1 && function >= 5;
	switch (instruction & 0x7f) {
	case 0x23: /* STORE */
	case 0x27: /* STORE-FP and stores of vectors */
		return true;
	case 0x2f: /* AMO, with loads: lr and those with acquire */
		atomic = instruction >> 27;
		return atomic != 2 && atomic != 6;
	case 0x0f: /* MISC-MEM, with cbo.*, which fault as stores do */
		return (instruction >> 12 & 7) == 2;
	default:
		return false;
	}
}

/* What access_base returns for an instruction that accesses no memory, and for an unknown one. */
#define ACCESS_NONE    32
#define ACCESS_UNKNOWN 33

/* How far from its base register a load or store reaches: 12 bits with a sign, and a block. */
#define ACCESS_REACH (2048 + 64)

static inline unsigned access_base_long(uint32_t instruction)
{
	unsigned width = instruction >> 12 & 7;

	switch (instruction & 0x7f) {
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
	return instruction >> 15 & 31;
}

/* The number of the register to which an instruction adds an offset for an access. */
static inline unsigned access_base(uint32_t instruction)
{
	unsigned kind = instruction & 3, function = instruction >> 13;

	if (instruction == 0) /* It cannot be read. */
		return ACCESS_UNKNOWN;
	if (kind == 3)
		return access_base_long(instruction);
	if (kind == 1 || function == 0 || (kind == 2 && function == 4))
		return ACCESS_NONE;
	return kind == 2 ? 2 : 8 + (instruction >> 7 & 7); /* 2 is sp */
}

/*
 * Whether an instruction may have accessed an address. True also for an unknown instruction. In a
 * frame pc is in the place of x0, and x1 to x31 follow.
 */
static inline bool may_have_accessed(uint32_t instruction, const struct kernel_registers *registers,
				     uint64_t address)
{
	unsigned base = access_base(instruction);

	if (base >= ACCESS_NONE)
		return base == ACCESS_UNKNOWN;
	if (base != 0)
		address -= ((const uint64_t *)registers)[base];
	/* Pointer masking (Ssnpm) removes up to 16 bits of what the register has. */
	return (address + ACCESS_REACH) << 16 < UINT64_C(2) * ACCESS_REACH << 16;
}

static inline bool has_code_of_fault(const siginfo_t *info)
{
	return info->si_signo == SIGBUS
		   ? info->si_code == BUS_ADRERR
		   : info->si_signo == SIGSEGV &&
			 (info->si_code == SEGV_ACCERR || info->si_code == SEGV_MAPERR);
}

/* The second half of an instruction can be on the next page. */
static inline bool is_fetch(uint64_t address, uint64_t place)
{
	return address == place || address == place + 2;
}

/*
 * A signal frame does not show the exception, and a sent signal may have any si_code: the end of a
 * child has that of a page fault, and its process ID is at the place of the address. So the
 * interrupted instruction must be one that can have accessed the address, or lie there. Sets
 * *instruction if it has to be read; else it becomes 0.
 */
static inline bool is_fault(const siginfo_t *info, const struct kernel_registers *registers,
			    uint32_t *instruction)
{
	uint64_t address = (uint64_t)info->si_addr, place = registers->pc;

	*instruction = 0;
	if (!has_code_of_fault(info))
		return false;
	if (is_fetch(address, place))
		return true;
	*instruction = instruction_at(place);
	return may_have_accessed(*instruction, registers, address);
}

static inline bool is_about_fault(const siginfo_t *info, const struct kernel_registers *registers)
{
	uint32_t instruction;

	return is_fault(info, registers, &instruction);
}

/* The kernel does not report which access a fault was; the instruction tells. */
static inline struct fault fault_of(int number, const siginfo_t *info,
				    const struct kernel_context *context)
{
	uint64_t address = (uint64_t)info->si_addr, place = context->registers.pc;
	uint32_t instruction;
	bool by_access = is_fault(info, &context->registers, &instruction);

	return (struct fault){
	    .signal = number,
	    .code = info->si_code,
	    .address = address,
	    .instruction = place,
	    .write = by_access && instruction_writes(instruction),
	    .execute = is_fetch(address, place),
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
