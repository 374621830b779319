/*
 * thread_ends: ways in which a process with threads ends: main leaves first, another thread exits
 * for all, one dies of a fault, the owner of a robust mutex ends.
 */
#include "guest.h"

static pthread_mutex_t robust;
static char fresh[16][4096];

static void *last(void *pointer)
{
	usleep(5000);
	fresh[3][7] = 1;
	puts("the last thread");
	return NULL;
}

static void *exits(void *pointer)
{
	usleep(1000);
	exit(41 + fresh[5][0]);
}

static void *faults(void *pointer)
{
	usleep(1000);
	*(volatile char *)pointer = 1;
	return NULL;
}

static void *owns(void *pointer)
{
	pthread_mutex_lock(&robust);
	return NULL;
}

static void be_robust(void)
{
	pthread_mutexattr_t attributes;
	pthread_t thread;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &attributes);
	pthread_create(&thread, NULL, owns, NULL);
	pthread_join(thread, NULL);
	check("its owner is dead", pthread_mutex_lock(&robust) == EOWNERDEAD);
	check("consistent again", pthread_mutex_consistent(&robust) == 0);
	check("unlocked", pthread_mutex_unlock(&robust) == 0);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	const char *way = WORD(1, "robust", "main_first", "exit", "fault");

	setvbuf(stdout, NULL, _IONBF, 0);
	if (strcmp(way, "robust") == 0) {
		be_robust();
	} else if (strcmp(way, "main_first") == 0) {
		pthread_create(&thread, NULL, last, NULL);
		pthread_exit(NULL);
	} else {
		pthread_create(&thread, NULL, strcmp(way, "exit") == 0 ? exits : faults, NULL);
		for (;;)
			pause();
	}
	mark();
}
