#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/user.h>

static inline uint64_t tracee_place(int32_t id)
{
	uint64_t place = 0;

	raw_syscall6(SYS_ptrace, PTRACE_PEEKUSER, (uint64_t)id,
		     offsetof(struct user_regs_struct, rip), (uint64_t)&place, 0, 0);
	return place;
}
