/*
 * Moves pages of memory to another address, their frames with them: by UFFDIO_MOVE (Linux 6.8),
 * which leaves mappings as they are and lets nobody see a page half-way, or by mremap(2), which
 * makes what is moved a mapping of its own. A huge page is moved whole where both addresses are
 * aligned to its size.
 *
 * All pages are private and anonymous. For UFFDIO_MOVE source and target have the same protection,
 * the target is registered with the descriptor and has no page, and no other process has a copy of
 * a page.
 *
 * Inline, no libc, async-signal-safe: for both sides of the jump.
 */
#ifndef COMMON_PLACEMENT_MOVER_H
#define COMMON_PLACEMENT_MOVER_H

#include "common/arch/x86_64/syscall.h"
#include "common/kernel_abi.h"
#include "common/page.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>

/*
 * A descriptor for mover_move() and mover_register(), or -1 where UFFDIO_MOVE is not to be had.
 * *waits: the kernel's own accesses, too, wait for a page on its way; without privilege they fail
 * (EFAULT).
 */
static inline int mover_open(bool *waits)
{
	struct kernel_uffd_api api = {.api = KERNEL_UFFD_API, .features = KERNEL_UFFD_FEATURE_MOVE};
	long descriptor = raw_syscall1(SYS_userfaultfd, O_CLOEXEC);

	*waits = descriptor >= 0;
	if (descriptor < 0)
		descriptor = raw_syscall1(SYS_userfaultfd, O_CLOEXEC | KERNEL_UFFD_USER_MODE_ONLY);
	if (descriptor < 0)
		return -1;
	if (raw_syscall3(SYS_ioctl, (uint64_t)descriptor, KERNEL_UFFDIO_API, (uint64_t)&api) == 0)
		return (int)descriptor;
	raw_syscall1(SYS_close, (uint64_t)descriptor);
	return -1;
}

/*
 * From here on whoever touches an absent page of the range waits until a page is moved there, or
 * the range is no longer registered. 0 or -errno; mremap needs no registration.
 */
static inline long mover_register(int descriptor, uint64_t start, uint64_t length)
{
	struct kernel_uffd_register range = {
	    .range = {.start = start, .length = length},
	    .mode = KERNEL_UFFD_REGISTER_MODE_MISSING,
	};

	return descriptor < 0 ? 0
			      : raw_syscall3(SYS_ioctl, (uint64_t)descriptor,
					     KERNEL_UFFDIO_REGISTER, (uint64_t)&range);
}

static inline long mover_unregister(int descriptor, uint64_t start, uint64_t length)
{
	struct kernel_uffd_range range = {.start = start, .length = length};

	return descriptor < 0 ? 0
			      : raw_syscall3(SYS_ioctl, (uint64_t)descriptor,
					     KERNEL_UFFDIO_UNREGISTER, (uint64_t)&range);
}

/*
 * `length` is in bytes, whole pages. 0 or -errno, such as EEXIST: the target has a page; EBUSY:
 * another process has a page, too. Then some pages may have been moved.
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
	/* -EAGAIN: the kernel was just changing the page tables. */
	do
		result = raw_syscall3(SYS_ioctl, (uint64_t)descriptor, KERNEL_UFFDIO_MOVE,
				      (uint64_t)&move);
	while (result == -EAGAIN);
	return result;
}

#endif
