/*
 * thread_exec_ignored: the program ignores SIGSYS and SIGSEGV, which a new program inherits. The
 * main thread makes execve again and again, and it fails. Meanwhile other threads make calls, with
 * arguments that are not there. The program may ask for /proc/self/exe, so that its calls can stay
 * intercepted when lazy paging has ended.
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"

#include <stdatomic.h>

enum { THREADS = 4, TIMES = 3000 };

static atomic_bool over;

static void *work(void *pointer)
{
	while (!over) {
		syscall(SYS_getppid);
		syscall(SYS_rt_sigprocmask, SIG_BLOCK, 8, NULL, 8);
	}
	return pointer;
}

int main(void)
{
	char *arguments[] = {"/proc/self/exe/nowhere", NULL};
	pthread_t threads[THREADS];
	int refused = 0;

	signal(SIGSYS, SIG_IGN);
	signal(SIGSEGV, SIG_IGN);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < TIMES; i++)
		refused += execv(arguments[0], arguments) == -1 && errno == ENOTDIR;
	over = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	check("refused each time", refused == TIMES);
}
