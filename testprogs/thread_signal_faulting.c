/*
 * thread_signal_faulting NUMBER: one thread touches one fresh page after the other. Another one
 * sends it a signal that usually means a fault, and the next one after that was handled. No signal
 * is lost: the first thread handles it before it has touched many more pages.
 *
 * No mark: sending such a signal to another thread ends lazy paging.
 */
#include "guest.h"

#define PAGES	 16000
#define SIGNALS	 20
#define TOO_MANY 500 /* a signal sent so many touched pages ago is lost */

static volatile char fresh[PAGES][PAGE];
static volatile int id, touched, handled;
static int number;

static void on_signal(int unused)
{
	handled++;
}

static void *touch(void *unused)
{
	id = (int)syscall(SYS_gettid);
	for (touched = 0; touched < PAGES; touched++)
		fresh[touched][0] = 1;
	return unused;
}

static bool is_handled(int before)
{
	for (int since = touched; touched < PAGES && touched - since < TOO_MANY;)
		if (handled != before)
			return true;
	return touched == PAGES || handled != before;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int lost = 0;

	number = argc > 1 ? atoi(argv[1]) : SIGSEGV;
	HANDLE(on_signal, 0, number);
	pthread_create(&thread, NULL, touch, NULL);
	while (id == 0 || touched < 100)
		;
	for (int i = 0; i < SIGNALS; i++) {
		int before = handled;

		syscall(SYS_tgkill, getpid(), id, number);
		lost += !is_handled(before);
	}
	pthread_join(thread, NULL);
	printf("%d signals lost\n", lost);
}
