/*
 * signal_each [NUMBER]: a child sends a signal that usually means a fault, and waits until it has
 * been handled before it sends the next one, while threads begin and end. None may be lost.
 *
 * No mark: a signal that comes where a thread has blocked all ends lazy paging.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIGNALS	 300
#define PATIENCE 10 /* seconds */
#define THREADS	 2

/* Shared with the child. */
struct counts {
	volatile int handled, lost, over;
};

static struct counts *counts;
static volatile char fresh[300][4096];

static void on_signal(int number)
{
	(void)number;
	__atomic_add_fetch(&counts->handled, 1, __ATOMIC_SEQ_CST);
}

static void *sleep_a_little(void *argument)
{
	const struct timespec little = {.tv_nsec = 300000};

	nanosleep(&little, NULL);
	return argument;
}

static void send_all(pid_t parent, int number)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < SIGNALS; i++) {
		int before = counts->handled;
		time_t begin = time(NULL);

		kill(parent, number);
		while (counts->handled == before && time(NULL) - begin < PATIENCE)
			;
		counts->lost += counts->handled == before;
	}
	counts->over = 1;
	_exit(0);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	int number = argc > 1 ? atoi(argv[1]) : SIGBUS;
	pid_t self = getpid();

	counts =
	    mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigaction(number, &action, NULL);
	fresh[7][0] = 1;
	if (fork() == 0)
		send_all(self, number);
	while (!counts->over) {
		pthread_t threads[THREADS];

		for (int i = 0; i < THREADS; i++)
			pthread_create(&threads[i], NULL, sleep_a_little, NULL);
		for (int i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
	}
	wait(NULL);
	printf("%d signals lost\n", counts->lost);
	return 0;
}
