/*
 * launcher KIND SECONDS [PROGRAM [ARG]...]: runs PROGRAM once for a round of that kind (time,
 * memory, counters, statistics), kills it after SECONDS, and writes a struct run_sample to
 * descriptor SAMPLE_FD. Without PROGRAM the new process exits at once: what is then measured is the
 * launcher's own part in every other measurement.
 *
 * A process of its own because of the peak RSS: execve carries the peak of the memory it replaces
 * over into the new program's ru_maxrss (exec_mmap in the kernel's fs/exec.c). A child of a driver
 * of 2 MB could never show less than 2 MB. This program is a static one that touches as little as
 * the smallest program measured.
 */
#include "bench/shared/counters.h"
#include "bench/session/sample.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static volatile pid_t child;
static volatile sig_atomic_t timed_out;

static void on_alarm(int signal)
{
	(void)signal;
	/* The time is over before the child's ID is known; kill(0) would kill the driver, too. So
	   the alarm is set again. */
	if (child <= 0) {
		alarm(1);
		return;
	}
	timed_out = 1;
	kill(child, SIGKILL);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t timeval_us(struct timeval time)
{
	return (int64_t)time.tv_sec * 1000000 + time.tv_usec;
}

/*
 * A program that is meant to die of a signal should not spend its time on a core file. The limit is
 * 1 byte, not 0, because only 1 also stops a core_pattern that is a pipe (core(5)).
 */
static void forbid_core_files(void)
{
	struct rlimit core;

	getrlimit(RLIMIT_CORE, &core);
	core.rlim_cur = core.rlim_max < 1 ? core.rlim_max : 1;
	setrlimit(RLIMIT_CORE, &core);
}

/* The number after the key, as in "VmHWM:      384 kB"; -1 when it cannot be read. */
static long proc_kb(pid_t pid, const char *file, const char *key)
{
	char path[64], text[4096];
	ssize_t length;
	const char *at;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[length < 0 ? 0 : length] = '\0';
	at = strstr(text, key);
	return at == NULL ? -1 : atol(at + strlen(key));
}

/*
 * VmHWM is a peak, but its counts may lag (before Linux 6.17 all of them). Rss comes from a walk of
 * the page tables, but covers only the pages left at exit.
 */
static void read_peak_rss(struct run_sample *sample)
{
	long peak = proc_kb(child, "status", "VmHWM:");
	long last = proc_kb(child, "smaps_rollup", "\nRss:");

	if (peak < 0 || last < 0)
		return;
	sample_set(sample, MEASURE_peak_rss_kb, peak > last ? peak : last);
	sample->rss_exact = 1;
}

/*
 * Waits for the end of the child, letting all its signals through. The first stop of a traced
 * process is the SIGTRAP after its execve; from then on PTRACE_O_TRACEEXEC keeps that signal away.
 */
static void reap(struct run_sample *sample, struct rusage *usage, int *status)
{
	bool first = true;

	for (;;) {
		int event, deliver;

		if (wait4(child, status, 0, usage) < 0) {
			if (errno == EINTR)
				continue;
			return;
		}
		if (!WIFSTOPPED(*status))
			return;
		event = *status >> 16;
		deliver = first || event != 0 ? 0 : WSTOPSIG(*status);
		if (first)
			ptrace(PTRACE_SETOPTIONS, child, NULL,
			       (void *)(PTRACE_O_TRACEEXIT | PTRACE_O_TRACEEXEC));
		if (event == PTRACE_EVENT_EXIT)
			read_peak_rss(sample);
		ptrace(PTRACE_CONT, child, NULL, (void *)(intptr_t)deliver);
		first = false;
	}
}

/*
 * The clock runs from before the new process exists until after it has been reaped. So the kernel's
 * work in exec and exit counts for every way of running the program.
 */
static int run(char **argv, bool traced, struct run_sample *sample, struct rusage *usage)
{
	/* The vfork child writes to this memory: that is how an error of execve gets back. */
	static volatile int exec_errno;
	int64_t start = now_ns();
	int status = 0;

	child = vfork();
	if (child == 0) {
		if (argv[0] == NULL)
			_exit(0);
		if (traced)
			ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execve(argv[0], argv, environ);
		exec_errno = errno;
		_exit(127);
	}
	if (child < 0)
		exec_errno = errno;
	else
		reap(sample, usage, &status);
	sample_set(sample, MEASURE_wall_ns, now_ns() - start);
	sample->exec_errno = exec_errno;
	return status;
}

/* The child's values from wait4, except the peak RSS. */
static void read_usage(struct run_sample *sample, const struct rusage *usage)
{
	sample_set(sample, MEASURE_user_us, timeval_us(usage->ru_utime));
	sample_set(sample, MEASURE_system_us, timeval_us(usage->ru_stime));
	sample_set(sample, MEASURE_cpu_us,
		   timeval_us(usage->ru_utime) + timeval_us(usage->ru_stime));
	sample_set(sample, MEASURE_minor_faults, usage->ru_minflt);
	sample_set(sample, MEASURE_major_faults, usage->ru_majflt);
	sample_set(sample, MEASURE_voluntary_switches, usage->ru_nvcsw);
	sample_set(sample, MEASURE_involuntary_switches, usage->ru_nivcsw);
	sample_set(sample, MEASURE_blocks_in, usage->ru_inblock);
	sample_set(sample, MEASURE_blocks_out, usage->ru_oublock);
}

static void read_counters(struct run_sample *sample, struct counters *counters)
{
	static const enum measure measures[] = {
#define X(name, type, event) [COUNTER_##name] = MEASURE_##name,
	    COUNTER_EVENTS(X)
#undef X
	};
	struct counts counts;

	counters_read(counters, &counts);
	for (enum counter i = 0; i < COUNTER_COUNT; i++) {
		if (counts.error[i] == 0)
			sample_set(sample, measures[i], (int64_t)counts.value[i]);
		else
			sample->absent[measures[i]] = counts.error[i];
	}
	sample->user_only = counts.user_only;
}

/* Takes out of the sample what this kind of round is not made for. */
static void keep_only(struct run_sample *sample, const char *kind)
{
	for (enum measure i = 0; i < MEASURE_COUNT; i++)
		if (strcmp(sample_round_name(sample_round(i)), kind) != 0)
			sample->absent[i] = ABSENT_OTHER_ROUND;
}

int main(int argc, char **argv)
{
	static struct run_sample sample;
	static struct rusage usage;
	struct counters counters;
	int status;

	if (argc < 3)
		return 125;
	fcntl(SAMPLE_FD, F_SETFD, FD_CLOEXEC);
	forbid_core_files();
	sample_clear(&sample, ABSENT_NO_PROGRAM);
	if (strcmp(argv[1], "counters") == 0)
		counters_open(&counters, COUNTERS_CHILDREN);
	signal(SIGALRM, on_alarm);
	alarm((unsigned int)atoi(argv[2]));
	status = run(argv + 3, strcmp(argv[1], "memory") == 0, &sample, &usage);
	alarm(0);
	read_usage(&sample, &usage);
	if (strcmp(argv[1], "counters") == 0)
		read_counters(&sample, &counters);
	if (!sample.rss_exact && usage.ru_maxrss > 0)
		sample_set(&sample, MEASURE_peak_rss_kb, usage.ru_maxrss);
	keep_only(&sample, argv[1]);
	sample.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	sample.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	sample.timed_out = timed_out;
	return write(SAMPLE_FD, &sample, sizeof(sample)) == (ssize_t)sizeof(sample) ? 0 : 125;
}
