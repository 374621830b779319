/* threads.h: for guests whose threads all do the same. */
#pragma once

#include "guest.h"

/* Returns the sum of what they return. */
static inline long join_threads(int count, const pthread_t *threads)
{
	long sum = 0;

	for (int i = 0; i < count; i++)
		sum += result_of(threads[i]);
	return sum;
}

/*
 * Runs `work` in so many threads, which get their numbers from 0 on. Returns the sum of what they
 * return.
 */
static inline long run_threads(int count, void *(*work)(void *))
{
	pthread_t threads[count];

	for (long i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
			exit(1);
	return join_threads(count, threads);
}
