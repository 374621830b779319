/* arm64, for the witness: see machine.h. */
#include <asm/ptrace.h>

#define MACHINE_AUDIT	      AUDIT_ARCH_AARCH64
#define MACHINE_FOREIGN_CALLS UINT32_MAX
#define MACHINE_NAME	      "arm64"

#define MACHINE_PLACE(registers)  ((registers)->pc)
#define MACHINE_STACK(registers)  ((registers)->sp)
#define MACHINE_STACK_NAME	  "sp"
#define MACHINE_TARGET(registers) ((registers)->regs[0])

/* A jump needs a register for the address. x16 is not among them, so that it can be that one. */
#define ROW(n) MACHINE_ROW("x" #n, regs[n])
#define MACHINE_ZERO                                                                               \
	ROW(0), ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6), ROW(7), ROW(8), ROW(9), ROW(10),   \
	    ROW(11), ROW(12), ROW(13), ROW(14), ROW(15), ROW(17), ROW(18), ROW(19), ROW(20),       \
	    ROW(21), ROW(22), ROW(23), ROW(24), ROW(25), ROW(26), ROW(27), ROW(28), ROW(29),       \
	    ROW(30)

/* DBGBCR<n>_EL1: enabled, in user mode, for the four bytes of an instruction. */
#define MACHINE_BREAK_ON (1 | 2 << 1 | 15 << 5)

static inline void machine_break_at(pid_t process, uint64_t address)
{
	struct user_hwdebug_state state = {0};
	struct iovec part = {&state, offsetof(struct user_hwdebug_state, dbg_regs[1])};

	state.dbg_regs[0].addr = address;
	state.dbg_regs[0].ctrl = address != 0 ? MACHINE_BREAK_ON : 0;
	ptrace(PTRACE_SETREGSET, process, (void *)NT_ARM_HW_BREAK, &part);
}
