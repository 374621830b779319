#include "loader/prepare/descriptor.h"

#include "common/userfaultfd.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/base/room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/resource.h>

/*
 * The number of the descriptor if no better one is free. It does not shift any of the program's own
 * numbers. If the program asks for this very number it gets it, and lazy paging ends.
 */
#define DESCRIPTOR_WANTED 255

/*
 * A larger limit is not passed: the kernel's table of descriptors reaches up to the highest
 * descriptor.
 */
#define LIMIT_WORTH_PASSING 4096

/*
 * These are raw system calls, because libc's functions are outside the pages that each start runs
 * (start.ld).
 */
static int duplicate(int descriptor, rlim_t least)
{
	return (int)raw_syscall3(SYS_fcntl, (uint64_t)descriptor, F_DUPFD_CLOEXEC, least);
}

static bool set_limit(const struct rlimit *limit)
{
	return raw_syscall2(SYS_setrlimit, RLIMIT_NOFILE, (uint64_t)limit) == 0;
}

/*
 * Moves a descriptor to the number at the program's limit. The limit is raised for a moment, up to
 * the hard limit.
 */
static int move_beyond_limit(int descriptor, const struct rlimit *limit)
{
	struct rlimit more = {limit->rlim_cur + 1, limit->rlim_max};
	int moved;

	if (limit->rlim_cur >= limit->rlim_max || limit->rlim_cur > LIMIT_WORTH_PASSING ||
	    !set_limit(&more))
		return -1;
	moved = duplicate(descriptor, limit->rlim_cur);
	set_limit(limit);
	return moved;
}

/* Moves a descriptor away and closes the old one. Returns the new number; -1 if there is none. */
static int move_away(int descriptor)
{
	struct rlimit limit;
	bool is_known = raw_syscall2(SYS_getrlimit, RLIMIT_NOFILE, (uint64_t)&limit) == 0;
	int moved = is_known ? move_beyond_limit(descriptor, &limit) : -1;

	if (moved < 0)
		moved = duplicate(descriptor, DESCRIPTOR_WANTED);
	if (moved < 0 && is_known)
		moved = duplicate(descriptor, limit.rlim_cur - 1);
	raw_syscall1(SYS_close, (uint64_t)descriptor);
	return moved;
}

long descriptor_open(void)
{
	int descriptor = userfaultfd_open(KERNEL_UFFD_USER_MODE_ONLY, KERNEL_UFFD_FEATURE_SIGBUS);

	if (descriptor < 0)
		return descriptor;
	userfaultfd_descriptor = move_away(descriptor);
	if (userfaultfd_descriptor < 0)
		return -EMFILE;
	/*
	 * For each of these pages that is missing, UFFDIO_COPY takes a fault and a second attempt.
	 */
	raw_syscall3(SYS_madvise, (uint64_t)resident_zeros, ZEROS_BYTES, KERNEL_MADV_POPULATE_READ);
	return 0;
}

void descriptor_close(void)
{
	if (userfaultfd_descriptor >= 0)
		raw_syscall1(SYS_close, (uint64_t)userfaultfd_descriptor);
	userfaultfd_descriptor = -1;
}
