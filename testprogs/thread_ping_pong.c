/*
 * thread_ping_pong: two threads take turns by mutex and condition variable, by semaphores and by a
 * read-write lock. All of these lie on fresh pages, and each turn touches another page.
 */
#include "guest.h"
#include "threads.h"

#include <semaphore.h>

#define ROUNDS 300

/* Zero is what the initializers of these are, so they need not be touched before. */
static struct {
	char before[PAGE - 8];
	pthread_mutex_t mutex;
	char between1[PAGE];
	pthread_cond_t changed;
	char between2[PAGE];
	pthread_rwlock_t lock;
	char between3[PAGE];
	sem_t turns[2];
	char between4[PAGE];
	volatile int turn;
	char after[PAGE];
} fresh;
static unsigned char pages[ROUNDS * PAGE];
static long counter;

static void by_condition(int me)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&fresh.mutex);
		while (fresh.turn != me)
			pthread_cond_wait(&fresh.changed, &fresh.mutex);
		pages[i * PAGE] += (unsigned char)(me + 1);
		fresh.turn = !me;
		pthread_cond_signal(&fresh.changed);
		pthread_mutex_unlock(&fresh.mutex);
	}
}

static void by_semaphore(int me)
{
	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(&fresh.turns[me]);
		pages[i * PAGE + 1] += (unsigned char)(me + 1);
		sem_post(&fresh.turns[!me]);
	}
}

static void *work(void *pointer)
{
	int me = (int)(long)pointer;
	long seen = 0;

	by_condition(me);
	by_semaphore(me);
	for (int i = 0; i < ROUNDS; i++) {
		pthread_rwlock_wrlock(&fresh.lock);
		counter++;
		pthread_rwlock_unlock(&fresh.lock);
		pthread_rwlock_rdlock(&fresh.lock);
		seen += counter > i;
		pthread_rwlock_unlock(&fresh.lock);
	}
	return (void *)seen;
}

int main(void)
{
	long sum;

	sem_post(&fresh.turns[1]);
	sum = run_threads(2, work);
	printf("seen %ld, counter %ld\n", sum, counter);
	sum = 0;
	for (int i = 0; i < ROUNDS; i++)
		sum += pages[i * PAGE] * 10 + pages[i * PAGE + 1];
	printf("sum %ld\n", sum);
	mark();
}
