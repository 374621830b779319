#include <sys/ptrace.h>
#include <sys/uio.h>

#define REGISTERS_GENERAL 1 /* NT_PRSTATUS: pc, and 31 registers */

static inline uint64_t tracee_place(int32_t id)
{
	uint64_t registers[32] = {0};
	struct iovec all = {registers, sizeof(registers)};

	raw_syscall6(SYS_ptrace, PTRACE_GETREGSET, (uint64_t)id, REGISTERS_GENERAL, (uint64_t)&all,
		     0, 0);
	return registers[0];
}
