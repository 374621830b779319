#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

static inline uint64_t tracee_place(int32_t id)
{
	struct user_regs_struct registers = {.pc = 0};
	struct iovec vector = {&registers, sizeof(registers)};

	raw_syscall6(SYS_ptrace, PTRACE_GETREGSET, (uint64_t)id, NT_PRSTATUS, (uint64_t)&vector, 0,
		     0);
	return registers.pc;
}
