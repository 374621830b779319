/*
 * descriptors: every open file descriptor with its kind, its access mode and its close-on-exec
 * flag. A loader must not leave one of its own open, and must not close one of the program's.
 */
#include "guest.h"

int main(void)
{
	for (int descriptor = 0; descriptor < 1024; descriptor++) {
		int close_on_exec = fcntl(descriptor, F_GETFD);
		struct stat about;

		if (close_on_exec < 0 || fstat(descriptor, &about) < 0)
			continue;
		printf("%d: kind %o, flags %#o, close-on-exec %d\n", descriptor,
		       about.st_mode & S_IFMT, (unsigned)fcntl(descriptor, F_GETFL), close_on_exec);
	}
	mark();
}
