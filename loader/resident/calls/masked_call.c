/* System calls that set a signal mask while they wait. */
#include "loader/resident/calls/masked_call.h"

#include "common/kernel_abi.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/threads/gadget_call.h"

#include <sys/syscall.h>

/*
 * The argument that points to the signal mask. That of pselect6 points to the mask's address and
 * length.
 */
static uint64_t *mask_argument(struct kernel_registers *registers)
{
	switch (call_number(registers)) {
	case SYS_rt_sigsuspend:
		return call_argument_place(registers, 0);
	case SYS_ppoll:
		return call_argument_place(registers, 3);
	case SYS_pselect6:
		return call_argument_place(registers, 5);
	default: /* epoll_pwait, epoll_pwait2 */
		return call_argument_place(registers, 4);
	}
}

/*
 * Reads the mask of a call. Returns false if there is none, or none that the kernel would accept.
 */
static bool read_mask(struct kernel_registers *registers, uint64_t *mask)
{
	uint64_t pair[2] = {*mask_argument(registers), KERNEL_SIGSET_SIZE};

	if (call_number(registers) == SYS_pselect6 && pair[0] != 0 &&
	    gadget_copy(pair, (const void *)pair[0], sizeof(pair)) != 0)
		return false;
	return pair[0] != 0 && pair[1] == KERNEL_SIGSET_SIZE &&
	       gadget_copy(mask, (const void *)pair[0], sizeof(*mask)) == 0;
}

void masked_call_make(struct thread *thread, struct kernel_context *context)
{
	struct kernel_registers *registers = &context->registers;
	bool is_pair = call_number(registers) == SYS_pselect6;
	uint64_t mask;

	gadget_enter(thread, context);
	if (!read_mask(registers, &mask))
		return;
	thread->has_temporary_mask = true;
	thread->temporary_mask = mask;
	if (!(mask & MANAGED_SIGNALS))
		return;
	thread->kernel_mask = mask & ~MANAGED_SIGNALS;
	thread->kernel_mask_pair[0] = (uint64_t)&thread->kernel_mask;
	thread->kernel_mask_pair[1] = KERNEL_SIGSET_SIZE;
	*mask_argument(registers) =
	    is_pair ? (uint64_t)thread->kernel_mask_pair : (uint64_t)&thread->kernel_mask;
}
