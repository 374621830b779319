/*
 * One row: makes a buffer, walks working sets of it, and reads what getrusage and the counters say
 * of the walk. The process runs on one CPU, and without transparent huge pages: all kinds of
 * mapping are then compared page by page of 4 KiB.
 */
#include "bench/experiments/access.h"
#include "bench/shared/statistics.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define SPARE_BYTES ((size_t)64 << 20)
#define WRITE_EVERY 8u /* lines: the first is written, the others are read */

struct cpus {
	size_t row, hog; /* the same processor where this process has only one */
};

static struct cpus choose_cpus(void)
{
	struct cpus cpus = {0, CPU_SETSIZE};
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		reading_fail("sched_getaffinity: %s", strerror(errno));
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &allowed))
			continue;
		if (cpus.hog == CPU_SETSIZE)
			cpus.hog = cpu;
		cpus.row = cpu;
	}
	return cpus;
}

/*
 * A file whose pages, all zeros, are in the page cache: major faults are then those of pressure,
 * not of a cold file. -1 for an anonymous buffer.
 */
static int make_file(const struct settings *settings, const struct access_case *which)
{
	static char chunk[1 << 16];
	struct statvfs room;
	int fd;

	if (which->backing == ACCESS_ANONYMOUS)
		return -1;
	fd = reading_file(settings, settings->bytes);
	/* The new file is full of holes. Writing to one on a full file system raises SIGBUS. */
	if (fstatvfs(fd, &room) == 0 && room.f_bavail * room.f_frsize < settings->bytes)
		reading_fail("no room for %zu MiB in %s", settings->bytes >> 20, settings->folder);
	for (size_t at = 0; at < settings->bytes; at += sizeof(chunk))
		if (pread(fd, chunk, sizeof(chunk), (off_t)at) != (ssize_t)sizeof(chunk))
			reading_fail("cannot read the file: %s", strerror(errno));
	return fd;
}

static unsigned char *make_buffer(const struct settings *settings, const struct access_case *which,
				  int fd)
{
	int flags = which->backing == ACCESS_SHARED_FILE ? MAP_SHARED : MAP_PRIVATE;
	unsigned char *buffer;

	if (which->backing == ACCESS_ANONYMOUS)
		flags |= MAP_ANONYMOUS;
	if (which->before == ACCESS_POPULATE)
		flags |= MAP_POPULATE;
	buffer = mmap(NULL, settings->bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (buffer == MAP_FAILED)
		reading_fail("mmap of %zu MiB: %s", settings->bytes >> 20, strerror(errno));
	if (which->before != ACCESS_WRITE)
		return buffer;
	memset(buffer, 2, settings->bytes);
	if (which->backing == ACCESS_SHARED_FILE && msync(buffer, settings->bytes, MS_SYNC) != 0)
		reading_fail("msync: %s", strerror(errno));
	return buffer;
}

/* Volatile, or the compiler would leave out all reads and all writes but the last walk's. */
static void walk_set(volatile unsigned char *set)
{
	for (size_t walk = 0; walk < ACCESS_SET_WALKS; walk++) {
#pragma GCC unroll 8
		for (size_t line = 0; line < ACCESS_SET_LINES; line++) {
			if (line % WRITE_EVERY == 0)
				set[line * ACCESS_LINE_BYTES] = 1;
			else
				(void)set[line * ACCESS_LINE_BYTES];
		}
	}
}

static void walk_buffer(const struct settings *settings, const struct access_case *which,
			unsigned char *buffer)
{
	size_t starts = settings->bytes / ACCESS_LINE_BYTES - ACCESS_SET_LINES + 1;
	size_t unit = which->in_bytes ? 1 : ACCESS_LINE_BYTES, start = 0;
	uint64_t state = settings->seed;

	for (size_t set = 0; set < settings->bytes / ACCESS_SET_SHARE; set++) {
		if (which->order == ACCESS_RANDOM)
			start = statistics_random(&state) % starts;
		walk_set(buffer + start * unit);
		start += ACCESS_SET_LINES;
		if (start >= starts)
			start = 0;
	}
}

static void read_usage(const struct rusage *before, const struct rusage *after, double *value)
{
	value[ACCESS_USER] = reading_ms(before->ru_utime, after->ru_utime);
	value[ACCESS_SYSTEM] = reading_ms(before->ru_stime, after->ru_stime);
	value[ACCESS_SETUP_MAXRSS] = (double)before->ru_maxrss / 1024;
	value[ACCESS_MAXRSS] = (double)after->ru_maxrss / 1024;
	value[ACCESS_MINOR] = (double)(after->ru_minflt - before->ru_minflt);
	value[ACCESS_MAJOR] = (double)(after->ru_majflt - before->ru_majflt);
	value[ACCESS_BLOCKS_IN] = (double)(after->ru_inblock - before->ru_inblock);
	value[ACCESS_BLOCKS_OUT] = (double)(after->ru_oublock - before->ru_oublock);
	value[ACCESS_VOLUNTARY] = (double)(after->ru_nvcsw - before->ru_nvcsw);
	value[ACCESS_INVOLUNTARY] = (double)(after->ru_nivcsw - before->ru_nivcsw);
}

/* Leaves NaN what the machine does not count. */
static void read_counts(const struct counts *counts, struct reading *reading)
{
	int32_t error = counts->error[COUNTER_l1d_reads];

	if (error == 0)
		error = counts->error[COUNTER_l1d_read_misses];
	if (error != 0)
		reading_absent(reading, "cache: %s", counter_reason(error));
	else if (counts->value[COUNTER_l1d_reads] > 0)
		reading->value[ACCESS_L1D_MISS_RATE] =
		    (double)counts->value[COUNTER_l1d_read_misses] /
		    (double)counts->value[COUNTER_l1d_reads];
	else
		reading_absent(reading, "cache: no read was counted");
	reading_count(reading, ACCESS_DTLB_READ_MISSES, counts, COUNTER_dtlb_read_misses, 1);
	reading_count(reading, ACCESS_DTLB_WRITE_MISSES, counts, COUNTER_dtlb_write_misses, 1);
	reading_count(reading, ACCESS_PAGE_FAULTS, counts, COUNTER_page_faults, 1);
}

/* Everything between the two readings is measured, so nothing else may stand there. */
static void measure_walk(const struct settings *settings, const struct access_case *which,
			 unsigned char *buffer, struct reading *reading)
{
	struct rusage before, after;
	struct counters counters;
	struct counts counts;
	uint64_t start, end;

	getrusage(RUSAGE_SELF, &before);
	counters_open(&counters, COUNTERS_SELF);
	start = reading_now_ns();
	walk_buffer(settings, which, buffer);
	end = reading_now_ns();
	counters_read(&counters, &counts);
	getrusage(RUSAGE_SELF, &after);
	counters_close(&counters);
	reading->value[ACCESS_TIME] = (double)(end - start) / 1e6;
	read_usage(&before, &after, reading->value);
	read_counts(&counts, reading);
}

void access_measure(const struct settings *settings, const void *parameter, struct reading *reading)
{
	const struct access_case *which = parameter;
	size_t hog_bytes = which->beside_hog ? access_hog_bytes(settings) : 0;
	struct cpus cpus = choose_cpus();
	unsigned char *buffer;
	uint64_t start;
	pid_t hog = 0;
	int fd;

	/* A file takes the page cache, and as much again for copies or for warming. */
	reading_need_memory(SPARE_BYTES + hog_bytes +
			    settings->bytes * (which->backing == ACCESS_ANONYMOUS ? 1 : 2));
	reading_stay_on(cpus.row);
	/* A kernel that does not know this call has no transparent huge pages either. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	fd = make_file(settings, which);
	if (which->beside_hog)
		hog = access_hog_start(settings, hog_bytes, cpus.hog);
	/* Later rounds reuse what the first has touched, and warming takes time. */
	if (settings->round == 0)
		access_warm(settings->bytes);
	start = reading_now_ns();
	buffer = make_buffer(settings, which, fd);
	reading->value[ACCESS_SETUP] = (double)(reading_now_ns() - start) / 1e6;
	measure_walk(settings, which, buffer, reading);
	if (which->beside_hog)
		access_hog_stop(hog);
	if (settings->round == 0)
		access_maps_show(which);
}
