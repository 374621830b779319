/*
 * thread_exit_race: a process ends, in several ways, in the middle of the page faults and system
 * calls of its threads; twenty times, each time a little later.
 */
#include "guest.h"

#define PAGES	 1000
#define THREADS	 3
#define CHILDREN 20

static unsigned char pages[THREADS][PAGES * PAGE];
static int started;

static void *touch(void *pointer)
{
	unsigned char *mine = pages[(long)pointer];

	__atomic_add_fetch(&started, 1, __ATOMIC_SEQ_CST);
	for (;;)
		for (int i = 0; i < PAGES; i++) {
			mine[i * PAGE]++;
			if (i % 32 == 0)
				getppid();
		}
	return NULL;
}

static void *leave(void *pointer)
{
	_exit((int)(long)pointer);
	return NULL;
}

static void run(int which)
{
	pthread_t thread;

	for (long i = 0; i < THREADS; i++)
		pthread_create(&thread, NULL, touch, (void *)i);
	while (__atomic_load_n(&started, __ATOMIC_SEQ_CST) < which % 4)
		sched_yield();
	for (int i = 0; i < which * 5; i++)
		getppid();
	switch (which % 4) {
	case 0:
		_exit(which);
	case 1:
		kill(getpid(), SIGTERM);
		break;
	case 2:
		pthread_create(&thread, NULL, leave, (void *)(long)which);
		break;
	default:
		*(volatile char *)8 = 1;
	}
	for (;;)
		pause();
}

int main(void)
{
	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = fork();

		if (child == 0)
			run(i);
		printf("%#x%c", end_of(child) & ~0x80, i % 10 == 9 ? '\n' : ' ');
		fflush(stdout);
	}
	mark();
}
