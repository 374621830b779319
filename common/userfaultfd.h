/*
 * userfaultfd(2), as far as it needs no privilege: only for faults of user code. Results are -errno
 * on failure. Inline, no libc, async-signal-safe: for both sides of the jump.
 */
#pragma once

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"

#include <fcntl.h>

static inline long userfaultfd_control(int descriptor, uint64_t request, void *argument)
{
	return raw_syscall3(SYS_ioctl, (uint64_t)descriptor, request, (uint64_t)argument);
}

/*
 * Opens a userfaultfd with these features (KERNEL_UFFD_FEATURE_*), close-on-exec. `flags`:
 * KERNEL_UFFD_USER_MODE_ONLY, or 0 for callers with the privilege.
 */
static inline int userfaultfd_open(int flags, uint64_t features)
{
	struct kernel_uffd_api api = {.api = KERNEL_UFFD_API, .features = features};
	int descriptor = (int)raw_syscall1(SYS_userfaultfd, (uint64_t)(O_CLOEXEC | flags));
	long result = descriptor < 0 ? 0 : userfaultfd_control(descriptor, KERNEL_UFFDIO_API, &api);

	if (result == 0)
		return descriptor;
	raw_syscall1(SYS_close, (uint64_t)descriptor);
	return (int)result;
}

/* Registers a range of whole pages; `mode`: KERNEL_UFFD_REGISTER_MODE_*. */
static inline long userfaultfd_register(int descriptor, uint64_t start, uint64_t length,
					uint64_t mode)
{
	struct kernel_uffd_register range = {{start, length}, .mode = mode};

	return userfaultfd_control(descriptor, KERNEL_UFFDIO_REGISTER, &range);
}

static inline long userfaultfd_unregister(int descriptor, uint64_t start, uint64_t length)
{
	struct kernel_uffd_range range = {start, length};

	return userfaultfd_control(descriptor, KERNEL_UFFDIO_UNREGISTER, &range);
}
