/*
 * thread_cancel: threads that are canceled where they sleep: in read, nanosleep, a condition
 * variable, and in no system call at all.
 */
#include "guest.h"

static int pipe_ends[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static volatile int cleaned, spinning;
static char fresh[64][4096];

static void clean(void *pointer)
{
	fresh[(long)pointer * 8][99] = 1;
	cleaned++;
}

static void *sleep_in_read(void *pointer)
{
	pthread_cleanup_push(clean, pointer);
	read(pipe_ends[0], fresh[20], 1);
	pthread_cleanup_pop(1);
	return NULL;
}

static void *sleep_in_nanosleep(void *pointer)
{
	static const struct timespec long_time = {1000, 0};

	pthread_cleanup_push(clean, pointer);
	nanosleep(&long_time, NULL);
	pthread_cleanup_pop(1);
	return NULL;
}

static void unlock(void *pointer)
{
	pthread_mutex_unlock(&lock);
	cleaned++;
}

static void *sleep_in_wait(void *pointer)
{
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(unlock, NULL);
	for (;;)
		pthread_cond_wait(&never, &lock);
	pthread_cleanup_pop(1);
	return NULL;
}

static void *spin(void *pointer)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	pthread_cleanup_push(clean, pointer);
	spinning = 1;
	for (;;)
		__asm__ volatile("");
	pthread_cleanup_pop(1);
	return NULL;
}

int main(void)
{
	static void *(*const ways[])(void *) = {sleep_in_read, sleep_in_nanosleep, sleep_in_wait,
						spin};
	pthread_t threads[4];
	int canceled = 0;

	must(pipe(pipe_ends) == 0);
	for (long i = 0; i < 4; i++)
		must(pthread_create(&threads[i], NULL, ways[i], (void *)i) == 0);
	while (!spinning)
		usleep(1000);
	/* Some threads sleep while the program goes on making system calls. */
	for (int i = 0; i < 100; i++)
		getppid();
	usleep(3000);
	for (int i = 0; i < 4; i++) {
		pthread_cancel(threads[i]);
		canceled += result_of(threads[i]) == (long)PTHREAD_CANCELED;
	}
	printf("canceled %d, cleaned %d\n", canceled, cleaned);
	mark();
}
