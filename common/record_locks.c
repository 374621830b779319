#include "common/record_locks.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

bool record_locks_found(int descriptor)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	/* Asked for an open file's lock, the kernel compares it with this process's, too. */
	return syscall(SYS_fcntl, descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}
