/*
 * thread_tls: thread-local variables of many pages in many threads, initialized from an untouched
 * template. Destructors of keys write to fresh pages, and there are forks in between.
 */
#include "guest.h"
#include "threads.h"

#define THREADS 24

static _Thread_local unsigned char own[5 * PAGE];
static _Thread_local unsigned char filled[5 * PAGE] = {[7] = 7, [4 * PAGE + 8] = 8};
static _Thread_local int me = -1;
static unsigned char pages[THREADS * PAGE];
static pthread_key_t key;

static void destroy(void *value)
{
	pages[me * PAGE] += (unsigned char)(value == own) + filled[7];
}

static long sum(void)
{
	long result = 0;

	for (int i = 0; i < 5 * PAGE; i++)
		result += own[i] + filled[i];
	return result;
}

static void *work(void *pointer)
{
	long before = sum(), status_sum = 0;

	me = (int)(long)pointer;
	pthread_setspecific(key, own);
	for (int i = 0; i < 5; i++) {
		own[i * PAGE + me] += (unsigned char)(me + 1);
		filled[i * PAGE + me] += 1;
	}
	if (me % 8 == 0) {
		int status = -1;
		pid_t child = fork();

		if (child == 0) {
			own[1]++;
			_exit((int)(sum() % 100) + (pthread_getspecific(key) == own));
		}
		waitpid(child, &status, 0);
		status_sum = WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
	}
	return (void *)(before * 100000 + sum() * 100 + status_sum);
}

int main(void)
{
	long total = 0;

	pthread_key_create(&key, destroy);
	total += run_threads(THREADS, work);
	printf("total %ld\n", total);
	total = 0;
	for (int i = 0; i < THREADS; i++)
		total += pages[i * PAGE];
	printf("destructors %ld, own %ld\n", total, sum());
	mark();
}
