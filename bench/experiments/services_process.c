/* Services of the kernel for processes and threads: calls, creation, switches over a pipe. */
#include "bench/experiments/services.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUND_TRIPS	 20000
#define WARM_ROUND_TRIPS 1000

/* Not the wrapper: a C library might cache the result. */
void services_system_call(uint64_t times)
{
	while (times-- > 0)
		syscall(SYS_getppid);
}

static inline void create_processes(uint64_t times, bool shares_memory)
{
	while (times-- > 0) {
		pid_t pid = shares_memory ? vfork() : fork();

		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			reading_fail("no process: %s", strerror(errno));
	}
}

void services_fork(uint64_t times)
{
	create_processes(times, false);
}

void services_vfork(uint64_t times)
{
	create_processes(times, true);
}

static void *return_at_once(void *argument)
{
	return argument;
}

static pthread_t start_thread(void *(*run)(void *), void *argument)
{
	pthread_t thread;
	int error = pthread_create(&thread, NULL, run, argument);

	if (error != 0)
		reading_fail("no thread: %s", strerror(error));
	return thread;
}

void services_thread(uint64_t times)
{
	while (times-- > 0)
		pthread_join(start_thread(return_at_once, NULL), NULL);
}

/* Two pipes, one in each direction. */
struct pipes {
	int there[2], back[2];
};

/* The partner's part, until the last writer is gone. */
static void *echo(void *argument)
{
	const struct pipes *pipes = argument;
	char byte;

	while (read(pipes->there[0], &byte, 1) == 1 && write(pipes->back[1], &byte, 1) == 1)
		;
	return NULL;
}

static void round_trips(const struct pipes *pipes, int times)
{
	char byte = 0;

	while (times-- > 0)
		if (write(pipes->there[1], &byte, 1) != 1 || read(pipes->back[0], &byte, 1) != 1)
			reading_fail("no answer over the pipe: %s", strerror(errno));
}

/* Both kinds of switch count: a wakeup may preempt the thread that wakes before that one waits. */
static long switches_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* Half a round trip: one write, one read that waits, and the switch. */
static void time_switches(const struct pipes *pipes, struct reading *reading)
{
	long switches;
	uint64_t start, ticks;

	round_trips(pipes, WARM_ROUND_TRIPS);
	switches = switches_so_far();
	start = services_ticks();
	round_trips(pipes, ROUND_TRIPS);
	ticks = services_ticks() - start;
	switches = switches_so_far() - switches;
	/* The partner switches as often. Where the partner ran on another processor after all,
	   there are few switches. */
	if (switches < ROUND_TRIPS / 10 * 9)
		reading_absent(reading, "only %ld switches in %d round trips", switches,
			       ROUND_TRIPS);
	else
		services_report(reading, ticks, 2 * ROUND_TRIPS);
	close(pipes->there[1]);
}

static void switch_threads(struct pipes *pipes, struct reading *reading)
{
	pthread_t thread = start_thread(echo, pipes);

	time_switches(pipes, reading);
	pthread_join(thread, NULL);
}

static void switch_processes(struct pipes *pipes, struct reading *reading)
{
	pid_t pid = fork();

	if (pid < 0)
		reading_fail("no process: %s", strerror(errno));
	if (pid == 0) {
		/* If the child kept the writing end, it would never read the end of the pipe. */
		close(pipes->there[1]);
		echo(pipes);
		_exit(0);
	}
	time_switches(pipes, reading);
	waitpid(pid, NULL, 0);
}

void services_pipe(const struct settings *settings, const void *parameter, struct reading *reading)
{
	const struct services_partner *partner = parameter;
	struct pipes pipes;

	(void)settings;
	/* On two processors there would be no switch: each side would wake the other and wait. */
	reading_stay_here();
	if (pipe(pipes.there) != 0 || pipe(pipes.back) != 0)
		reading_fail("no pipe: %s", strerror(errno));
	if (partner->thread)
		switch_threads(&pipes, reading);
	else
		switch_processes(&pipes, reading);
}
