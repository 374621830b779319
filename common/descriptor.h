/* Numbers of the loader's own descriptors. Host code. */
#ifndef COMMON_DESCRIPTOR_H
#define COMMON_DESCRIPTOR_H

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

/*
 * Moves a descriptor away from the numbers of standard input, output and error, which may be
 * closed: what is written to standard error would reach it. Returns the new number, close-on-exec,
 * or -1 with errno; the old one is closed in any case. A negative one is returned.
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

/* The same for both descriptors of a pipe or a pair of sockets. Whether there are both. */
static inline bool descriptors_above_standard(int pair[2])
{
	pair[0] = descriptor_above_standard(pair[0]);
	pair[1] = descriptor_above_standard(pair[1]);
	return pair[0] >= 0 && pair[1] >= 0;
}

#endif
