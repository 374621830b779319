/*
 * thread_fork: one thread forks, again and again, while others bring in pages. Every second child
 * ends lazy paging, which must not wait for its parent's threads.
 */
#include "guest.h"

#define THREADS 4
#define PAGES	400
#define FORKS	20

static bool forked;
static char pages[THREADS][PAGES * 4096], childs[FORKS][16 * 4096];

static void *touch(void *pointer)
{
	char *mine = pages[(long)pointer];
	long sum = 0;

	for (int i = 0; i < PAGES; i++) {
		mine[i * 4096] = (char)i;
		sum += mine[i * 4096 + 1] + (mine[i * 4096] == (char)i);
		if (i % 50 == 0)
			getppid();
	}
	/* Each child's parent has all its threads. */
	while (!__atomic_load_n(&forked, __ATOMIC_ACQUIRE))
		sched_yield();
	return (void *)sum;
}

int main(void)
{
	pthread_t threads[THREADS];
	long sum = 0;

	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, touch, (void *)i) == 0);
	for (int i = 0; i < FORKS; i++) {
		int status;
		pid_t child = fork();

		if (child == 0) {
			int touched = 0;

			for (int page = 0; page < 16; page++)
				touched += ++childs[i][page * 4096];
			if (i % 2 == 0 && close(open("/proc/self/maps", O_RDONLY)) != 0)
				_exit(100);
			_exit(touched);
		}
		must(waitpid(child, &status, 0) == child);
		sum += WIFEXITED(status) ? WEXITSTATUS(status) : -1000;
		sum += childs[i][0];
	}
	__atomic_store_n(&forked, true, __ATOMIC_RELEASE);
	printf("children %ld\n", sum);
	for (int i = 0; i < THREADS; i++)
		printf("thread %d: %ld\n", i, result_of(threads[i]));
	mark();
}
