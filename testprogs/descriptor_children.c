/*
 * descriptor_children: "vfork": a child that shares this memory closes all its descriptors from 3
 * on; the parent's stay as they are. "shared": a child shares the descriptors, and ends; then the
 * program opens as many as it wants, looks at itself in /proc, and still has them all.
 *
 * No mark with userfaultfd: closing its descriptor, as a vfork child does here, ends lazy paging.
 * No mark on arm64: vfork() ends lazy paging.
 */
#include "guest.h"

#define SYS_CLOSE_RANGE 436
#define FROM		240
#define TO		270

static volatile char untouched[240 * 4096];

static void open_many(void)
{
	for (int wanted = FROM; wanted < TO; wanted++) {
		int fd = fcntl(0, F_DUPFD, wanted);

		if (fd != wanted)
			printf("%d instead of %d\n", fd, wanted);
	}
}

static void look_at_all(void)
{
	for (int fd = FROM; fd < TO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			printf("%d is gone\n", fd);
}

int main(int argc, char **argv)
{
	int shared = strcmp(WORD(1, "vfork", "shared"), "shared") == 0;
	pid_t child =
	    shared ? (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0) : vfork();

	if (child == 0) {
		if (!shared)
			syscall(SYS_CLOSE_RANGE, 3, ~0U, 0);
		_exit(0);
	}
	printf("child %d\n", end_of(child));
	mark();
	if (!shared)
		close(open("/proc/self/stat", O_RDONLY));
	open_many();
	close(open("/proc/self/stat", O_RDONLY));
	look_at_all();
	printf("untouched %d\n", untouched[100000]);
}
