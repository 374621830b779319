/*
 * asleep.h: for guests that wait until a thread sleeps in a system call. A child reads /proc,
 * because reading it ends lazy paging in the process that reads. The child is made before there are
 * threads.
 */
#pragma once

#include "guest.h"

/* Forks a child that may look at its parent where Yama would not let it. */
static inline pid_t fork_who_looks(void)
{
	pid_t child = fork();

	if (child > 0)
		prctl(PR_SET_PTRACER, child, 0, 0, 0);
	return child;
}

/*
 * Waits until this thread of the process sleeps in a system call. A futex does not count: a thread
 * also waits on one for a lock, or for others to leave lazy paging, before it makes the call in
 * which it is to sleep. A signal would come too early then. Returns false if this process may not
 * read /proc/PID/task/TID/syscall, which takes the right to trace the other one
 * (proc_pid_syscall(5)).
 */
static inline bool see_it_sleep(pid_t process, int thread)
{
	char text[128], *end = text;
	long call = -1;
	int file;

	snprintf(text, sizeof(text), "/proc/%d/task/%d/syscall", (int)process, thread);
	file = open(text, O_RDONLY);
	while (end == text || call < 0 || call == SYS_futex) {
		rest(1);
		if (pread(file, text, sizeof(text), 0) <= 0) {
			fprintf(stderr, "/proc/PID/task/TID/syscall cannot be read\n");
			return false;
		}
		call = strtol(text, &end, 10);
	}
	close(file);
	return true;
}

/* Shared with the child: the thread to be looked at, then what was seen. */
static volatile int *asleep_thread;

enum { SEEN_ASLEEP = -1, CANNOT_LOOK = -2 };

/* Makes the child that looks. */
static inline void asleep_begin(void)
{
	pid_t process = getpid();

	asleep_thread =
	    mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (fork_who_looks() != 0)
		return;
	while (*asleep_thread == 0 && getppid() == process)
		rest(1);
	*asleep_thread = see_it_sleep(process, *asleep_thread) ? SEEN_ASLEEP : CANNOT_LOOK;
	_exit(0);
}

/* Waits until this thread, another one of the process, sleeps. Once only. */
static inline void wait_until_asleep(int thread)
{
	*asleep_thread = thread;
	while (*asleep_thread == thread)
		rest(1);
	wait(NULL);
	if (*asleep_thread != SEEN_ASLEEP)
		exit(EXIT_USAGE);
}
