/*
 * proc_exe_calls: /proc/self/exe stays the program's after calls before which lazy paging ends.
 *
 * No mark: they end lazy paging.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void show(const char *when)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	printf("%s: %s\n", when, path);
}

int main(void)
{
	unsigned long context = 0;

	show("at first");
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
	return 0;
}
