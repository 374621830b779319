/*
 * process_orphan: a process that forks twice and begins a session of its own; the grandchild, an
 * orphan by then, goes on with fresh pages, threads and signals, and reports through a pipe.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mark.h"

#define PAGE 4096

static unsigned char pages[128 * PAGE];
static char text[4 * PAGE];
static volatile int handled;

static void on_signal(int number)
{
	handled += pages[100 * PAGE]++ + number;
}

static void *touch(void *pointer)
{
	for (int i = 0; i < 64; i++)
		pages[i * PAGE + 1] += (unsigned char)(i + *(int *)pointer);
	return NULL;
}

static void serve(int end, pid_t parent)
{
	pthread_t thread;
	int sum = 0, one = 1;

	while (getppid() == parent)
		usleep(500);
	signal(SIGHUP, on_signal);
	raise(SIGHUP);
	pthread_create(&thread, NULL, touch, &one);
	pthread_join(thread, NULL);
	for (int i = 0; i < 128; i++)
		sum += pages[i * PAGE] + pages[i * PAGE + 1];
	dprintf(end, "daemon: sum %d, handled %d, leader %d, own session %d\n", sum, handled,
		getsid(0) == getpid(), getsid(0) != getsid(getppid()));
	exit(0);
}

int main(void)
{
	int ends[2], status = -1;
	ssize_t got, length = 0;
	pid_t child;

	if (pipe(ends) != 0)
		return 1;
	child = fork();
	if (child == 0) {
		pid_t self = getpid();

		close(ends[0]);
		pages[5 * PAGE] = 5;
		setsid();
		if (fork() == 0) {
			int nothing = open("/dev/null", O_RDWR);

			for (int i = 0; i < 3; i++)
				dup2(nothing, i);
			serve(ends[1], self);
		}
		_exit(pages[5 * PAGE]);
	}
	close(ends[1]);
	waitpid(child, &status, 0);
	printf("status %#x\n", status);
	while ((got = read(ends[0], text + PAGE - 10 + length, sizeof(text) / 2)) > 0)
		length += got;
	printf("%s", text + PAGE - 10);
	mark();
	return 0;
}
