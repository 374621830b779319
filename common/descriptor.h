/* Numbers of the loader's own descriptors. Host code. */
#pragma once

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * Moves a descriptor away from the numbers of standard input, output and error, which may be
 * closed: text for standard error would be written to it. Returns the new number, close-on-exec, or
 * -1 with errno. The old descriptor is closed in any case. A negative number is returned unchanged.
 */
static inline int descriptor_above_standard(int descriptor)
{
	int moved;

	if (descriptor < 0 || descriptor > STDERR_FILENO)
		return descriptor;
	moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(descriptor);
	return moved;
}

/* Does the same for both descriptors of a pipe or a socket pair. Returns whether both succeeded. */
static inline bool descriptors_above_standard(int pair[2])
{
	pair[0] = descriptor_above_standard(pair[0]);
	pair[1] = descriptor_above_standard(pair[1]);
	return pair[0] >= 0 && pair[1] >= 0;
}

/* Linux before 5.9 has no close_range(2). */
static inline long descriptors_close_others(int kept)
{
	struct rlimit limit = {1024, 1024};
	long result = raw_syscall1(SYS_unshare, CLONE_FILES);

	if (result != 0)
		return result;
	raw_syscall2(SYS_getrlimit, RLIMIT_NOFILE, (uint64_t)&limit);
	for (int i = 0; i < (int)limit.rlim_cur; i++)
		if (i != kept)
			raw_syscall1(SYS_close, (uint64_t)i);
	return 0;
}

/*
 * Closes all descriptors but one. The descriptors of a process that shares the table stay open.
 * Makes only system calls, for a process that shares memory with the loader. Returns 0 or -errno.
 */
static inline long descriptors_keep_one(int kept)
{
	if (raw_syscall3(KERNEL_SYS_CLOSE_RANGE, (uint64_t)kept + 1, UINT32_MAX,
			 KERNEL_CLOSE_RANGE_UNSHARE) != 0)
		return descriptors_close_others(kept);
	return kept == 0 ? 0 : raw_syscall3(KERNEL_SYS_CLOSE_RANGE, 0, (uint64_t)kept - 1, 0);
}
