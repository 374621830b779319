/* Measures one row, in a child process, and gives its functions what they may call there. */
#include "bench/experiments/reading.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

uint64_t reading_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void reading_absent(struct reading *reading, const char *format, ...)
{
	va_list arguments;

	if (reading->reason[0] != '\0')
		return;
	va_start(arguments, format);
	vsnprintf(reading->reason, sizeof(reading->reason), format, arguments);
	va_end(arguments);
}

/* The reading of the row that is being measured; the row's child process and this one share it. */
static struct reading *current;

_Noreturn void reading_fail(const char *format, ...)
{
	va_list arguments;

	for (size_t i = 0; i < READING_COLUMNS; i++)
		current->value[i] = NAN;
	va_start(arguments, format);
	vsnprintf(current->reason, sizeof(current->reason), format, arguments);
	va_end(arguments);
	_exit(0);
}

int reading_file(const struct settings *settings, size_t bytes)
{
	char path[4096];
	int fd;

	/* Not O_TMPFILE, which overlay and network file systems lack. */
	snprintf(path, sizeof(path), "%s/experiment.XXXXXX", settings->folder);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		reading_fail("no file in %s: %s", settings->folder, strerror(errno));
	unlink(path);
	if (ftruncate(fd, (off_t)bytes) != 0)
		reading_fail("%zu bytes in %s: %s", bytes, settings->folder, strerror(errno));
	return fd;
}

size_t reading_available(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	char line[128];
	size_t kib = 0;

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "MemAvailable: %zu", &kib) == 1)
			break;
	if (file != NULL)
		fclose(file);
	if (kib == 0)
		reading_fail("no MemAvailable in /proc/meminfo");
	return kib << 10;
}

void reading_need_memory(size_t bytes)
{
	size_t here = reading_available();

	if (here < bytes)
		reading_fail("needs %zu MiB of memory, and %zu MiB are available", bytes >> 20,
			     here >> 20);
}

void reading_stay_on(size_t cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one) != 0)
		reading_fail("cannot stay on CPU %zu: %s", cpu, strerror(errno));
}

void reading_stay_here(void)
{
	int cpu = sched_getcpu();

	reading_stay_on(cpu < 0 ? 0 : (size_t)cpu);
}

void reading_count(struct reading *reading, size_t column, const struct counts *counts,
		   enum counter counter, double unit)
{
	if (counts->error[counter] == 0)
		reading->value[column] = (double)counts->value[counter] / unit;
	else
		reading_absent(reading, "%s: %s", counter_name(counter),
			       counter_reason(counts->error[counter]));
}

double reading_ms(struct timeval from, struct timeval to)
{
	return (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_usec - from.tv_usec) / 1e3;
}

static void clear(struct reading *reading)
{
	for (size_t i = 0; i < READING_COLUMNS; i++)
		reading->value[i] = NAN;
	reading->reason[0] = '\0';
}

bool reading_begin(void)
{
	current =
	    mmap(NULL, sizeof(*current), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return current != MAP_FAILED;
}

/* The child dies with this process. It leads a process group, which holds its own children. */
static pid_t start_child(const struct settings *settings, row_measure *measure,
			 const void *parameter)
{
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		measure(settings, parameter, current);
		_exit(0);
	}
	return pid;
}

bool reading_take(const struct settings *settings, row_measure *measure, const void *parameter,
		  struct reading *reading)
{
	pid_t pid;
	int status;

	clear(current);
	pid = start_child(settings, measure, parameter);
	if (pid < 0)
		return false;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	kill(-pid, SIGKILL);
	if (status != 0)
		clear(current);
	if (WIFSIGNALED(status))
		reading_absent(current, "ended by signal %d: %s", WTERMSIG(status),
			       strsignal(WTERMSIG(status)));
	else if (status != 0)
		reading_absent(current, "ended with status %d", WEXITSTATUS(status));
	*reading = *current;
	return true;
}
