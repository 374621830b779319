#include "loader/resident/signals/deferred.h"

#include "common/arch/x86_64/bytes.h"
#include "loader/resident/signals/actions.h"
#include "loader/resident/signals/kernel_signals.h"

void deferred_add(struct thread *thread, int number, const siginfo_t *info)
{
	unsigned index = 0;

	if (thread->deferred & KERNEL_SIGNAL_BIT(number))
		return;
	while (managed_signals[index] != number)
		index++;
	bytes_copy(thread->deferred_info[index], info, sizeof(thread->deferred_info[index]));
	thread->deferred |= KERNEL_SIGNAL_BIT(number);
}

/* FAULT_SIGNALS are blocked. */
static int take_first(struct thread *thread, siginfo_t *info)
{
	unsigned index = 0;

	while ((thread->deferred & KERNEL_SIGNAL_BIT(managed_signals[index])) == 0)
		index++;
	bytes_copy(info, thread->deferred_info[index], sizeof(*info));
	thread->deferred &= ~KERNEL_SIGNAL_BIT(managed_signals[index]);
	return managed_signals[index];
}

int deferred_take(struct thread *thread, siginfo_t *info)
{
	int number;

	kernel_mask(SIG_BLOCK, FAULT_SIGNALS);
	number = take_first(thread, info);
	kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
	return number;
}

void deferred_give_away(struct thread *thread)
{
	siginfo_t info;
	int number;

	kernel_mask(SIG_BLOCK, FAULT_SIGNALS);
	while (thread->deferred != 0) {
		number = take_first(thread, &info);
		actions_leave_pending(number, &info);
	}
}
