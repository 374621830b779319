/* What the kernel has of the program's actions once lazy paging has ended. */
#ifndef LOADER_RESIDENT_SIGNALS_KERNEL_ACTIONS_H
#define LOADER_RESIDENT_SIGNALS_KERNEL_ACTIONS_H

#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/* Whether a handler in the kernel is one of ours. */
bool kernel_actions_is_ours(const struct kernel_sigaction *action);

/* The kernel gets the program's actions, but where the program has set others since. */
void kernel_actions_give_back_locked(struct process *process);

/* The kernel gets handlers that go on in the program's, for there are threads that have not left.
 */
void kernel_actions_forward_locked(const struct process *process);

#endif
