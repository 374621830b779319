/* Measures one way of the experiment `prefault`: its set-up, then its access loop. */
#include "bench/experiments/prefault_arena.h"
#include "common/page.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

/*
 * The kernel knows to the nanosecond how long a process ran, and getrusage gives the sum of user
 * and system time to the microsecond. But unless the kernel accounts at every system call (and few
 * do), it divides that sum by what the process was doing whenever the clock ticked: 100 to 1000
 * times a second. A phase that saw too few ticks is divided as the time before it was, which says
 * nothing about the phase. So below this many ticks user and system time are absent, and above
 * either of them is good for about one tick. Faults are counted exactly.
 */
#define TICKS_NEEDED 2

struct moment {
	uint64_t ns;
	struct rusage usage;
};

static struct moment take_moment(void)
{
	struct moment moment;

	getrusage(RUSAGE_SELF, &moment.usage);
	moment.ns = reading_now_ns();
	return moment;
}

/* The coarse clock moves with every tick of the kernel. */
static double tick_ms(void)
{
	struct timespec tick;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) != 0)
		return 10;
	return (double)tick.tv_sec * 1e3 + (double)tick.tv_nsec / 1e6;
}

/* Four columns: wall, user and system time, and minor faults. */
static void give_phase(struct reading *reading, size_t first, const struct moment *from,
		       const struct moment *to)
{
	double user = reading_ms(from->usage.ru_utime, to->usage.ru_utime);
	double system = reading_ms(from->usage.ru_stime, to->usage.ru_stime);

	reading->value[first] = (double)(to->ns - from->ns) / 1e6;
	reading->value[first + SET_UP_MINOR - SET_UP_MS] =
	    (double)(to->usage.ru_minflt - from->usage.ru_minflt);
	if (user + system < TICKS_NEEDED * tick_ms()) {
		reading_absent(reading, "user and system time: under %d ticks of %g ms",
			       TICKS_NEEDED, tick_ms());
		return;
	}
	reading->value[first + 1] = user;
	reading->value[first + 2] = system;
}

/* The kB of this process in the line "key: N kB" of its smaps; -1 where there is none. */
static long read_kb(const char *key)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "re");
	char line[256];
	long kb = -1;

	if (file == NULL)
		return -1;
	while (kb < 0 && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, key, strlen(key)) == 0)
			sscanf(line + strlen(key), ": %ld", &kb);
	fclose(file);
	return kb;
}

/* Pages that are mapped, those included that are the zero page and so have no memory. */
static double mapped_mib(const struct area *area, struct reading *reading)
{
	unsigned char pages[4096];
	size_t mapped = 0, step = sizeof(pages) * PAGE_BYTES;
	/* malloc gives a place after its header, but mincore wants the start of a page. */
	char *start = area->start - page_offset((uintptr_t)area->start);

	for (size_t at = 0; at < area->bytes; at += step) {
		size_t bytes = area->bytes - at < step ? area->bytes - at : step;

		if (mincore(start + at, bytes, pages) != 0) {
			reading_absent(reading, "mincore: %s", strerror(errno));
			return NAN;
		}
		for (size_t i = 0; i < bytes / PAGE_BYTES; i++)
			mapped += pages[i] & 1;
	}
	return (double)(mapped * PAGE_BYTES) / (1 << 20);
}

/* The counts that have grown since `before`, so that the process's earlier pages do not count. */
static double gained_mib(struct reading *reading, const char *key, long before)
{
	long after = read_kb(key);

	if (before >= 0 && after >= 0)
		return (double)(after - before) / 1024;
	reading_absent(reading, "/proc/self/smaps_rollup does not say %s", key);
	return NAN;
}

/*
 * Memory that the host has not backed yet is slow at first touch, which would be charged to
 * whichever row comes first. Page tables and locks take their share: a 16th is more than enough.
 */
static void warm(const struct way *way, size_t bytes)
{
	struct way plain = {.writes = true, .huge = way->huge};
	struct area area;

	reading_need_memory(bytes + bytes / 16);
	area = way_set_up(&plain, bytes);
	way_touch(&plain, &area);
	munmap(area.start, area.bytes);
	/* The child's own first faults, of code and stack, belong to no phase. */
	take_moment();
}

/* Reading maps the huge zero page, which no file counts; but faults are few only with huge pages.
 */
static void check_huge(const struct reading *reading, const struct area *area)
{
	double faults = reading->value[SET_UP_MINOR] + reading->value[LOOP_MINOR];

	if (faults > (double)(area->bytes / PAGE_BYTES) / 2)
		reading_fail("the kernel gave no huge pages: they are turned off, or memory is "
			     "in too small pieces");
}

void prefault_measure(const struct settings *settings, const void *parameter,
		      struct reading *reading)
{
	const struct way *way = parameter;
	struct moment before, between, after;
	struct area area;
	long resident, huge;

	/* If the kernel always gives huge pages, the other rows still use ordinary ones. */
	if (!way->huge)
		prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	arena_draw_sizes(settings->seed);
	warm(way, settings->bytes);
	resident = read_kb("Rss");
	huge = read_kb("AnonHugePages");
	before = take_moment();
	area = way_set_up(way, settings->bytes);
	between = take_moment();
	(way->arena == ARENA_NONE ? way_touch : arena_touch)(way, &area);
	after = take_moment();

	reading->value[RESIDENT] = gained_mib(reading, "Rss", resident);
	reading->value[HUGE] = gained_mib(reading, "AnonHugePages", huge);
	reading->value[MAPPED] = mapped_mib(&area, reading);
	give_phase(reading, SET_UP_MS, &before, &between);
	give_phase(reading, LOOP_MS, &between, &after);
	reading->value[MAJOR] = (double)(after.usage.ru_majflt - before.usage.ru_majflt);
	reading->value[NS_A_PAGE] =
	    (double)(after.ns - before.ns) / (double)(area.bytes / PAGE_BYTES);
	if (way->huge)
		check_huge(reading, &area);
}
