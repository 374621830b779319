/*
 * thread_leave_pending: signals that do nothing are pending, because the main thread blocks them.
 * They stay pending when several threads leave lazy paging: one whose default is to be ignored, and
 * one whose handler was replaced by SIG_IGN.
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"

#include <stdatomic.h>

enum { THREADS = 6 };

static volatile char untouched[240 * 4096];
static atomic_bool over;

static void on_signal(int number)
{
	printf("signal %d\n", number);
}

static void *work(void *pointer)
{
	while (!over)
		syscall(SYS_getppid);
	return pointer;
}

int main(void)
{
	pthread_t threads[THREADS];
	sigset_t set = SET_OF(SIGURG, SIGWINCH), pending;

	signal(SIGURG, on_signal);
	signal(SIGURG, SIG_IGN);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	raise(SIGURG);
	raise(SIGWINCH);
	close(open("/proc/self/stat", O_RDONLY));
	over = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	sigpending(&pending);
	printf("pending: SIGURG %d, SIGWINCH %d\n", sigismember(&pending, SIGURG),
	       sigismember(&pending, SIGWINCH));
	return untouched[20000];
}
