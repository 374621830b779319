#include "loader/resident/threads/lock.h"

#include "common/arch/x86_64/syscall.h"
#include "common/kernel_abi.h"

#include <stdbool.h>

/* futex(2): 0 free, 1 taken, 2 taken and perhaps waited for. */
void lock_take(uint32_t *lock)
{
	uint32_t free = 0;

	if (__atomic_compare_exchange_n(lock, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	while (__atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE) != 0)
		raw_syscall6(SYS_futex, (uint64_t)lock, KERNEL_FUTEX_WAIT, 2, 0, 0, 0);
}

void lock_release(uint32_t *lock)
{
	if (__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) == 2)
		raw_syscall3(SYS_futex, (uint64_t)lock, KERNEL_FUTEX_WAKE, 1);
}
