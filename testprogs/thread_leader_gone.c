/*
 * thread_leader_gone: the first thread has exited and the others continue: page faults, signals to
 * the process, children, more threads. In the end the program is executed again.
 */
#include "guest.h"

static unsigned char pages[4][200 * PAGE];
static pthread_t first;
static volatile int handled;
static char **arguments;

static void on_signal(int number)
{
	handled += number;
	pages[3][150 * PAGE]++;
}

static void *touch(void *pointer)
{
	unsigned char *mine = pages[(long)pointer];
	long sum = 0;

	for (int i = 0; i < 100; i++)
		sum += ++mine[i * PAGE] + mine[i * PAGE + 1];
	return (void *)sum;
}

static void *run(void *pointer)
{
	pthread_t thread;
	pid_t child;

	pthread_join(first, NULL);
	for (long i = 0; i < 3; i++) {
		pthread_create(&thread, NULL, touch, (void *)i);
		printf("sum %ld\n", result_of(thread));
	}
	kill(getpid(), SIGUSR1);
	signal(SIGSEGV, on_signal);
	kill(getpid(), SIGSEGV);
	printf("handled %d, %d\n", handled, pages[3][150 * PAGE]);
	fflush(stdout);
	child = fork();
	if (child == 0)
		_exit((int)(long)touch((void *)3L) + (getpid() == (pid_t)syscall(SYS_gettid)));
	printf("status %#x\n", end_of(child));
	mark();
	fflush(stdout);
	execl(arguments[0], arguments[0], "again", NULL);
	exit(1);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc > 1) {
		check("anew", getpid() == (pid_t)syscall(SYS_gettid));
		return 17;
	}
	arguments = argv;
	first = pthread_self();
	signal(SIGUSR1, on_signal);
	pthread_create(&thread, NULL, run, NULL);
	pthread_exit(NULL);
}
