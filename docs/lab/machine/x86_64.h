/* x86-64, for the witness: see machine.h. */
#define MACHINE_AUDIT	      AUDIT_ARCH_X86_64
#define MACHINE_FOREIGN_CALLS 0x40000000 /* x32 */
#define MACHINE_NAME	      "x86-64"

#define MACHINE_PLACE(registers)  ((registers)->rip)
#define MACHINE_STACK(registers)  ((registers)->rsp)
#define MACHINE_STACK_NAME	  "rsp"
#define MACHINE_TARGET(registers) ((registers)->rdi)

#define ROW(name) MACHINE_ROW(#name, name)
#define MACHINE_ZERO                                                                               \
	ROW(rdx), ROW(rax), ROW(rbx), ROW(rcx), ROW(rsi), ROW(rdi), ROW(rbp), ROW(r8), ROW(r9),    \
	    ROW(r10), ROW(r11), ROW(r12), ROW(r13), ROW(r14), ROW(r15)

static inline void machine_break_at(pid_t process, uint64_t address)
{
	ptrace(PTRACE_POKEUSER, process, offsetof(struct user, u_debugreg[7]), 0);
	ptrace(PTRACE_POKEUSER, process, offsetof(struct user, u_debugreg[0]), address);
	ptrace(PTRACE_POKEUSER, process, offsetof(struct user, u_debugreg[7]), address != 0);
}
