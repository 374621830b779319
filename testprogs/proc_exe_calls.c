/*
 * proc_exe_calls: /proc/self/exe cannot be written, nor executed with too long an argument. It is
 * still the program's file after calls that end lazy paging.
 *
 * No mark: they end lazy paging.
 */
#include "guest.h"

static void show(const char *when)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	printf("%s: %s\n", when, path);
}

static void show_errors(void)
{
	static char argument[200 * 1024];
	char *words[] = {argument, NULL};

	memset(argument, 'a', sizeof(argument) - 1);
	printf("open: %d\n", open("/proc/self/exe", O_RDWR) < 0 ? errno : 0);
	execve("/proc/self/exe", words, words + 1);
	printf("execve: %d\n", errno);
	syscall(SYS_execveat, AT_FDCWD, "/proc/self/exe", words, words + 1, 0);
	printf("execveat: %d\n", errno);
}

int main(void)
{
	unsigned long context = 0;

	show("at first");
	show_errors();
	syscall(SYS_personality, 0xffffffffUL);
	show("personality");
	syscall(SYS_mlockall, 0);
	show("mlockall");
	syscall(SYS_io_setup, 1, &context);
	show("io_setup");
	syscall(SYS_io_uring_setup, 1, NULL);
	show("io_uring_setup");
	syscall(SYS_userfaultfd, 1);
	show("userfaultfd");
	syscall(700);
	show("a call of a kernel to come");
}
