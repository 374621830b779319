#include "common/record_locks.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

bool record_locks_found(int descriptor)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	/* The kernel compares an open file's lock with those of this process, too. */
	return syscall(SYS_fcntl, descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}
