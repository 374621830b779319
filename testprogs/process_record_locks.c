/*
 * process_record_locks FILE: the record locks that this process has on FILE since before exec.
 *
 * No mark: the loader's descriptors are what it tests, not pages.
 */
#include "guest.h"

/* The child looks, because F_GETLK shows only the locks of other processes. */
static int look(const char *path, pid_t parent)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int file = open(path, O_RDONLY);

	if (file < 0 || fcntl(file, F_GETLK, &lock) != 0)
		return 1;
	printf("locked: %s\n", lock.l_type == F_UNLCK ? "no"
			       : lock.l_pid == parent ? "by its parent"
						      : "by another process");
	return 0;
}

int main(int argc, char **argv)
{
	pid_t self = getpid(), child;

	if (argc < 2)
		return 1;
	fflush(stdout);
	child = fork();
	if (child == 0)
		return look(argv[1], self);
	return end_of(child);
}
