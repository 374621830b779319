/* System calls that set a signal mask while they wait. */
#include "loader/resident/calls/masked_call.h"

#include "common/kernel_abi.h"
#include "loader/resident/arch/gadget.h"

#include <sys/syscall.h>

/*
 * The index of the argument that points to the signal mask. That of pselect6 points to the mask's
 * address and length.
 */
static unsigned mask_argument(const struct call *call)
{
	switch (call->number) {
	case SYS_rt_sigsuspend:
		return 0;
	case SYS_ppoll:
		return 3;
	case SYS_pselect6:
		return 5;
	default: /* epoll_pwait, epoll_pwait2 */
		return 4;
	}
}

/*
 * Reads the mask of a call. Returns false if there is none, or none that the kernel would accept.
 */
static bool read_mask(uint64_t argument, bool is_pair, uint64_t *mask)
{
	uint64_t pair[2] = {argument, KERNEL_SIGSET_SIZE};

	if (is_pair && argument != 0 &&
	    gadget_copy(pair, (const void *)argument, sizeof(pair)) != 0)
		return false;
	return pair[0] != 0 && pair[1] == KERNEL_SIGSET_SIZE &&
	       gadget_copy(mask, (const void *)pair[0], sizeof(*mask)) == 0;
}

void masked_call_prepare(struct thread *thread, struct call *call)
{
	uint64_t *argument = &call->arguments[mask_argument(call)];
	bool is_pair = call->number == SYS_pselect6;
	uint64_t mask;

	if (!read_mask(*argument, is_pair, &mask))
		return;
	thread->has_temporary_mask = true;
	thread->temporary_mask = mask;
	if (!(mask & MANAGED_SIGNALS))
		return;
	thread->kernel_mask = mask & ~MANAGED_SIGNALS;
	thread->kernel_mask_pair[0] = (uint64_t)&thread->kernel_mask;
	thread->kernel_mask_pair[1] = KERNEL_SIGSET_SIZE;
	*argument = is_pair ? (uint64_t)thread->kernel_mask_pair : (uint64_t)&thread->kernel_mask;
}
