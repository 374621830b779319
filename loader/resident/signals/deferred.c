#include "loader/resident/signals/deferred.h"

#include "common/arch/bytes.h"
#include "loader/resident/signals/actions.h"
#include "loader/resident/signals/kernel_signals.h"

void deferred_add(struct thread *thread, int number, const siginfo_t *info)
{
	unsigned index = 0;

	if (thread->deferred & KERNEL_SIGNAL_BIT(number))
		return;
	while (managed_signal(index) != number)
		index++;
	bytes_copy(thread->deferred_info[index], info, sizeof(thread->deferred_info[index]));
	thread->deferred |= KERNEL_SIGNAL_BIT(number);
}

int deferred_take(struct thread *thread, siginfo_t *info)
{
	unsigned index = 0;

	while ((thread->deferred & KERNEL_SIGNAL_BIT(managed_signal(index))) == 0)
		index++;
	bytes_copy(info, thread->deferred_info[index], sizeof(*info));
	thread->deferred &= ~KERNEL_SIGNAL_BIT(managed_signal(index));
	return managed_signal(index);
}

void deferred_give_away(struct thread *thread)
{
	siginfo_t info;

	kernel_mask(SIG_BLOCK, FAULT_SIGNALS);
	while (thread->deferred != 0) {
		int number = deferred_take(thread, &info);

		actions_leave_pending(number, &info);
	}
}
