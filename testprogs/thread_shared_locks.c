/*
 * thread_shared_locks: locks in shared memory that replaced an untouched array: a barrier, a
 * condition, a semaphore, and a robust mutex. The mutex's owner, a child or one of its threads,
 * dies.
 */
#include "guest.h"

#include <semaphore.h>

static struct __attribute__((aligned(PAGE))) shared {
	pthread_mutex_t robust;
	char between1[PAGE];
	pthread_barrier_t barrier;
	char between2[PAGE];
	sem_t semaphore;
	char between3[PAGE];
	int steps;
} memory[3];
static char pages[64 * PAGE];

static void *take(void *pointer)
{
	struct shared *shared = pointer;

	pthread_mutex_lock(&shared->robust);
	pages[60 * PAGE] = 1;
	shared->steps++;
	return NULL;
}

static void run_child(struct shared *shared, int way)
{
	pthread_t thread;

	pthread_barrier_wait(&shared->barrier);
	if (way == 1) {
		pthread_create(&thread, NULL, take, shared);
		pthread_join(thread, NULL);
	} else {
		take(shared);
	}
	sem_post(&shared->semaphore);
	if (way == 2)
		raise(SIGKILL);
	_exit(pages[60 * PAGE]);
}

static void run(int way)
{
	struct shared *shared = &memory[1];
	pthread_mutexattr_t attributes;
	pthread_barrierattr_t barrier;
	int status = -1;
	pid_t child;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared->robust, &attributes);
	pthread_barrierattr_init(&barrier);
	pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->barrier, &barrier, 2);
	sem_init(&shared->semaphore, 1, 0);
	child = fork();
	if (child == 0)
		run_child(shared, way);
	pthread_barrier_wait(&shared->barrier);
	sem_wait(&shared->semaphore);
	printf("owner is dead: %d\n", pthread_mutex_lock(&shared->robust) == EOWNERDEAD);
	check("consistent", pthread_mutex_consistent(&shared->robust) == 0);
	check("unlocked", pthread_mutex_unlock(&shared->robust) == 0);
	waitpid(child, &status, 0);
	printf("status %#x, steps %d, own page %d\n", status, shared->steps, pages[60 * PAGE]);
	fflush(stdout);
}

int main(void)
{
	must(mmap(memory, sizeof(memory), PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == memory);
	for (int way = 0; way < 3; way++)
		run(way);
	mark();
}
