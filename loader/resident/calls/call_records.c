#include "loader/resident/calls/call_records.h"

#include "loader/resident/trace.h"

#include <stddef.h>
#include <sys/syscall.h>

uint64_t call_count(struct pager *pager, uint64_t number)
{
	uint64_t place = number < COUNTED_CALLS ? number : COUNTED_CALLS;

	if (pager->calls != NULL)
		__atomic_add_fetch(&pager->calls[place], 1, __ATOMIC_RELAXED);
	return __atomic_add_fetch(&pager->statistics.calls, 1, __ATOMIC_RELAXED);
}

void call_trace(struct thread *thread, const struct kernel_registers *registers)
{
	if (__builtin_expect(resident_trace == NULL, 1))
		return;
	if (thread->traced)
		trace_result((int)thread->traced_call, thread->result);
	trace_call(registers, thread->call_pages);
	/* What a handler's return leaves in rax is the program's own. */
	thread->traced = registers->rax != SYS_rt_sigreturn;
	thread->traced_call = registers->rax;
}
