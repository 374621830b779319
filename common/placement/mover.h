/*
 * Moves pages of memory with their frames to another address. UFFDIO_MOVE (Linux 6.8) leaves
 * mappings as they are, and no thread sees a page halfway. mremap(2) turns the moved pages into a
 * mapping of their own. A huge page is moved whole if both addresses are aligned to its size.
 *
 * All pages are private and anonymous. For UFFDIO_MOVE source and target have the same protection.
 * The target is registered with the descriptor and has no page, and no other process has a copy of
 * a page. Inline, no libc, async-signal-safe: for both sides of the jump.
 */
#pragma once

#include "common/userfaultfd.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>

/*
 * A descriptor for mover_move() and mover_register(), or -errno if the kernel lacks or denies
 * UFFDIO_MOVE. *waits: the kernel's own accesses wait for a page on its way, too; without privilege
 * they fail (EFAULT).
 */
static inline int mover_open(bool *waits)
{
	int descriptor = userfaultfd_open(0, KERNEL_UFFD_FEATURE_MOVE);

	*waits = descriptor >= 0;
	return descriptor >= 0
		   ? descriptor
		   : userfaultfd_open(KERNEL_UFFD_USER_MODE_ONLY, KERNEL_UFFD_FEATURE_MOVE);
}

/*
 * From here on a thread that touches an absent page of the range waits until a page is moved there
 * or the range is unregistered. Returns 0 or -errno. mremap needs no registration.
 */
static inline long mover_register(int descriptor, uint64_t start, uint64_t length)
{
	return descriptor < 0 ? 0
			      : userfaultfd_register(descriptor, start, length,
						     KERNEL_UFFD_REGISTER_MODE_MISSING);
}

static inline long mover_unregister(int descriptor, uint64_t start, uint64_t length)
{
	return descriptor < 0 ? 0 : userfaultfd_unregister(descriptor, start, length);
}

/*
 * Moves `length` bytes, whole pages. Returns 0 or -errno: EEXIST if the target has a page, EBUSY if
 * another process has a page, too. On an error some pages may have been moved.
 */
static inline long mover_move(int descriptor, uint64_t from, uint64_t to, uint64_t length)
{
	struct kernel_uffd_copy move = {.to = to, .from = from, .length = length};
	long result;

	if (descriptor < 0) {
		result = raw_syscall6(SYS_mremap, from, length, length,
				      MREMAP_MAYMOVE | MREMAP_FIXED, to, 0);
		return result < 0 && result >= -4095 ? result : 0;
	}
	/* -EAGAIN: the kernel was just changing the page tables */
	do
		result = userfaultfd_control(descriptor, KERNEL_UFFDIO_MOVE, &move);
	while (result == -EAGAIN);
	return result;
}
