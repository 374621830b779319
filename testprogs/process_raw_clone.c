/*
 * process_raw_clone: children by clone that have their own memory: without a stack, on a stack of
 * untouched pages, with another signal at their end or none, and with shared descriptors and
 * directory.
 */
#include "guest.h"

#define STACK (32 * PAGE)

static char stacks[4][STACK] __attribute__((aligned(PAGE)));
static unsigned char pages[100 * PAGE];
static volatile int signals;

static void count(int number)
{
	signals += number;
}

static int touch(void *pointer)
{
	char local[20 * PAGE];
	int sum = 0;

	for (unsigned i = 0; i < sizeof(local); i += PAGE)
		local[i] = 1;
	for (unsigned i = 0; i < sizeof(local); i += PAGE)
		sum += ((volatile char *)local)[i];
	for (int i = 0; i < 100; i++)
		sum += ++pages[i * PAGE];
	return sum + (pointer != NULL);
}

static int change(void *pointer)
{
	int *ends = pointer;

	close(ends[0]);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return chdir("/proc");
}

static void finish(const char *what, pid_t child, int options)
{
	int status = -1;
	pid_t found = waitpid(child, &status, options);

	if (found != child) {
		printf("%s: %s\n", what, strerror(errno));
		return;
	}
	printf("%s: status %#x, signals %d\n", what, status, signals);
	signals = 0;
}

int main(void)
{
	static char where[2 * PAGE];
	int ends[2];
	long child;

	signal(SIGUSR1, count);
	signal(SIGUSR2, count);
	must(pipe(ends) == 0);
	child = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (child == 0)
		_exit(touch(NULL));
	finish("like fork", (pid_t)child, 0);
	child = syscall(SYS_clone, SIGUSR1, NULL, NULL, NULL, NULL);
	if (child == 0)
		_exit(touch(NULL) + 1);
	finish("not waited for", (pid_t)child, 0);
	finish("SIGUSR1", (pid_t)child, __WALL);
	finish("stack", clone(touch, stacks[0] + STACK, SIGCHLD, NULL), 0);
	finish("stack", clone(touch, stacks[1] + STACK, SIGUSR2, stacks), __WCLONE);
	finish("no signal", clone(touch, stacks[2] + STACK, 0, NULL), __WALL);
	finish("own files", clone(change, stacks[3] + STACK, SIGCHLD, ends), 0);
	printf("%d %d\n", fcntl(ends[0], F_GETFD), fcntl(ends[1], F_GETFD));
	finish("shared files",
	       clone(change, stacks[3] + STACK, CLONE_FILES | CLONE_FS | SIGCHLD, ends), 0);
	printf("%d %d\n", fcntl(ends[0], F_GETFD), fcntl(ends[1], F_GETFD));
	printf("%s\n", getcwd(where + 4090, 4000));
	child = syscall(SYS_clone, CLONE_THREAD | SIGCHLD, NULL, NULL, NULL, NULL);
	printf("thread without memory: %s\n", strerror(errno));
	printf("%d\n", pages[0] + pages[99 * PAGE]);
	mark();
}
