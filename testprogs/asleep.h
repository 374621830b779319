/*
 * asleep.h: for guests that go on when somebody sleeps in a system call. Who looks into /proc is a
 * child, for that ends lazy paging; and it is made before there are threads.
 */
#ifndef ASLEEP_H
#define ASLEEP_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline void rest_a_moment(void)
{
	const struct timespec moment = {0, 1000000};

	nanosleep(&moment, NULL);
}

/* Returns when this thread of the process sleeps, or is no more. */
static inline void see_it_sleep(pid_t process, int thread)
{
	char path[64], text[64], state = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)process, thread);
	while (state != 'S') {
		int file = open(path, O_RDONLY);
		ssize_t length = read(file, text, sizeof(text) - 1);

		if (length <= 0)
			return;
		close(file);
		text[length] = '\0';
		state = strrchr(text, ')')[2];
		rest_a_moment();
	}
}

/* Shared with the child: the thread to be looked at, and 0 again when it has been seen asleep. */
static volatile int *asleep_thread;

/* Makes the child that looks. */
static inline void asleep_begin(void)
{
	pid_t process = getpid();

	asleep_thread =
	    mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (fork() != 0)
		return;
	while (*asleep_thread == 0 && getppid() == process)
		rest_a_moment();
	see_it_sleep(process, *asleep_thread);
	*asleep_thread = 0;
	_exit(0);
}

/* Waits until this thread, another one of the process, sleeps. Once only. */
static inline void wait_until_asleep(int thread)
{
	*asleep_thread = thread;
	while (*asleep_thread != 0)
		rest_a_moment();
	wait(NULL);
}

#endif
