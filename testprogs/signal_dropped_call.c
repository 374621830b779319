/*
 * signal_dropped_call: a child sends SIGSYS to its parent's thread, which writes byte after byte.
 * Each call returns its own number, 1, and none is lost or made twice.
 *
 * No mark: a signal that has to wait ends lazy paging, and one soon does.
 */
#include "guest.h"

#if defined(__x86_64__)
enum { SIGNALS = 100000 };
#else
enum { SIGNALS = 5000 }; /* an emulated processor takes minutes for more */
#endif

static volatile sig_atomic_t ended;

/* SIGCHLD may interrupt the handler of a SIGSYS: this one must not put an old value back. */
static void on_signal(int number)
{
	if (number == SIGCHLD)
		ended = 1;
}

static void send(pid_t parent)
{
	for (int i = 0; i < SIGNALS; i++)
		syscall(SYS_tgkill, parent, parent, SIGSYS);
	_exit(0);
}

/* All calls are of one instruction; only the count is another each time. */
static long write_bytes(long file)
{
	long count = 0, result;

	while (!ended) {
		result = syscall(SYS_write, file, "x", 1, ++count);
		if (result != 1)
			printf("%ld\n", result);
	}
	return count;
}

int main(void)
{
	int file = memfd_create("bytes", 0);
	pid_t parent = getpid();
	struct stat about;
	long count;

	HANDLE(on_signal, SA_RESTART, SIGSYS, SIGCHLD);
	if (fork() == 0)
		send(parent);
	count = write_bytes(file);
	fstat(file, &about);
	printf("bytes missing: %ld\n", count - (long)about.st_size);
}
