/*
 * memory_guard: a page of .bss that the program guards itself, by process_madvise (Linux 6.15),
 * still is guarded when it has made many calls.
 *
 * No mark: that call ends lazy paging.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise 440
#endif
#define GUARD_INSTALL 102

static volatile char pages[300][4096] __attribute__((aligned(4096)));

static void on_fault(int number)
{
	static const char text[] = "it holds\n";

	(void)number;
	_exit(write(1, text, sizeof(text) - 1) < 0);
}

int main(void)
{
	struct iovec page = {(void *)pages[100], sizeof(pages[100])};
	long self = syscall(SYS_pidfd_open, getpid(), 0);
	long installed = syscall(SYS_process_madvise, self, &page, 1, GUARD_INSTALL, 0);

	printf("installed: %ld\n", installed);
	fflush(stdout);
	for (int i = 0; i < 200; i++)
		syscall(SYS_getppid);
	signal(SIGSEGV, on_fault);
	pages[100][0] = 1;
	puts(installed > 0 ? "it is gone" : "it cannot be guarded here");
	return 0;
}
