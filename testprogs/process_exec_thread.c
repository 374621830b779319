/*
 * process_exec_thread: a thread other than the first executes the program again, while others bring
 * in pages, sleep, and wait for a lock. It takes over the process ID.
 */
#include "guest.h"

#define PAGES 4000

static char pages[2][PAGES * 4096];
static char **arguments;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int started;

static void *touch(void *pointer)
{
	char *mine = pages[(long)pointer];

	__atomic_add_fetch(&started, 1, __ATOMIC_SEQ_CST);
	for (;;)
		for (int i = 0; i < PAGES; i++) {
			mine[i * 4096]++;
			if (i % 64 == 0)
				getppid();
		}
	return NULL;
}

static void *sleep_long(void *pointer)
{
	__atomic_add_fetch(&started, 1, __ATOMIC_SEQ_CST);
	sleep(1000);
	return pointer;
}

static void *wait_lock(void *pointer)
{
	__atomic_add_fetch(&started, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_lock(&lock);
	return pointer;
}

static void *run(void *pointer)
{
	char number[16], id[16];

	while (started < 4)
		usleep(200);
	snprintf(number, sizeof(number), "%d", atoi(pointer) + 1);
	snprintf(id, sizeof(id), "%d", (int)getpid());
	signal(SIGUSR1, SIG_IGN);
	mark();
	execl(arguments[0], arguments[0], number, id, NULL);
	perror("exec");
	exit(1);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	struct sigaction action;

	arguments = argv;
	if (argc > 2) {
		sigaction(SIGUSR1, NULL, &action);
		printf("round %s: same process %d, first thread %d, ignored %d\n", argv[1],
		       atoi(argv[2]) == getpid(), getpid() == (pid_t)syscall(SYS_gettid),
		       action.sa_handler == SIG_IGN);
		fflush(stdout);
		if (atoi(argv[1]) == 5)
			return 55;
	}
	pthread_mutex_lock(&lock);
	for (long i = 0; i < 2; i++)
		pthread_create(&thread, NULL, touch, (void *)i);
	pthread_create(&thread, NULL, sleep_long, NULL);
	pthread_create(&thread, NULL, wait_lock, NULL);
	pthread_create(&thread, NULL, run, argc > 1 ? argv[1] : "0");
	/* Every second time the first thread is gone by then. */
	if (argc > 1 && atoi(argv[1]) % 2)
		pthread_exit(NULL);
	pthread_join(thread, NULL);
	return 1;
}
