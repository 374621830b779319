#include "loader/resident/threads/lock.h"

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "loader/resident/threads/shared.h"
#include "loader/resident/threads/thread.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

/* A bit of the word, which also has the holder's ID: a thread may be waiting. */
#define WAITED UINT32_C(0x80000000)

/* Sleeps while another thread holds the lock. Returns whether that thread will never release it. */
static bool is_abandoned(uint32_t *lock, uint32_t held)
{
	static const struct timespec most = {.tv_nsec = THREAD_WAIT_NS};

	return raw_syscall6(SYS_futex, (uint64_t)lock, KERNEL_FUTEX_WAIT, held, (uint64_t)&most, 0,
			    0) == -ETIMEDOUT &&
	       thread_is_gone((int32_t)(held & ~WAITED));
}

void lock_take(uint32_t *lock)
{
	const struct thread *thread = thread_here();
	uint32_t self = thread != NULL ? (uint32_t)thread->id : (uint32_t)raw_syscall0(SYS_gettid);
	uint32_t held;

	if (shared_replace(*lock, 0, self))
		return;
	do
		held = shared_or(*lock, WAITED) | WAITED;
	while ((held != WAITED && !is_abandoned(lock, held)) ||
	       !shared_replace(*lock, held, self | WAITED));
}

void lock_release(uint32_t *lock)
{
	if (shared_exchange(*lock, 0) & WAITED)
		raw_syscall3(SYS_futex, (uint64_t)lock, KERNEL_FUTEX_WAKE, 1);
}
