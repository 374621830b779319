/*
 * Latency and bandwidth of caches and memory. Everything lies in pages of 4 KiB, as most memory of
 * programs does, so that the latency of main memory has the page walk in it.
 */
#include "bench/experiments/services.h"
#include "bench/shared/statistics.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define LOADS	    (UINT64_C(2) << 20)
#define BYTES_MOVED (UINT64_C(512) << 20)

static void *map_area(size_t bytes)
{
	void *area;

	reading_need_memory(bytes);
	area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED)
		reading_fail("no memory of %zu bytes: %s", bytes, strerror(errno));
	/* Where the kernel has no large pages, it does not know the advice either. */
	madvise(area, bytes, MADV_NOHUGEPAGE);
	return area;
}

/* sysconf counts a cache several times that several cores share. 0: the machine does not say. */
static size_t largest_cache(void)
{
	size_t largest = 0;

	for (int i = 0; i < 8; i++) {
		char path[64], unit = 'B';
		size_t size = 0;
		FILE *file;

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
		file = fopen(path, "re");
		if (file == NULL)
			continue;
		if (fscanf(file, "%zu%c", &size, &unit) >= 1)
			size <<= unit == 'M' ? 20 : unit == 'K' ? 10 : 0;
		if (size > largest)
			largest = size;
		fclose(file);
	}
	return largest;
}

/* Where half of it or more would be found in a cache, the figure would not be memory's. */
static bool is_beyond_caches(size_t bytes, struct reading *reading)
{
	size_t cache = largest_cache();

	if (bytes >= 2 * cache)
		return true;
	reading_absent(reading, "%zu MiB are not twice a cache of %zu MiB: try --size=%zu",
		       bytes >> 20, cache >> 20, cache >> 19);
	return false;
}

/* One cache line of the processor. */
struct line {
	struct line *next;
	char rest[64 - sizeof(struct line *)];
};

/*
 * All lines in one random cycle. An element only changes places with an earlier one (Sattolo's
 * algorithm), so no shorter cycle arises, which a cache could hold.
 */
static void link_lines(struct line *lines, size_t count, uint64_t seed)
{
	for (size_t i = 0; i < count; i++)
		lines[i].next = &lines[i];
	for (size_t i = count - 1; i > 0; i--) {
		size_t j = statistics_random(&seed) % i;
		struct line *next = lines[i].next;

		lines[i].next = lines[j].next;
		lines[j].next = next;
	}
}

/* Each load needs the result of the one before it. */
static struct line *follow(struct line *at, uint64_t times)
{
	for (; times > 0; times--) {
		at = at->next;
		__asm__ volatile("" : "+r"(at));
	}
	return at;
}

void services_latency(const struct settings *settings, const void *parameter,
		      struct reading *reading)
{
	const struct services_area *area = parameter;
	size_t bytes = area->bytes != 0 ? area->bytes : settings->bytes;
	struct line *lines, *at;
	uint64_t start;

	if (area->bytes == 0 && !is_beyond_caches(bytes, reading))
		return;
	lines = map_area(bytes);
	link_lines(lines, bytes / sizeof(*lines), settings->seed);
	at = follow(lines, LOADS / 8);
	start = services_ticks();
	follow(at, LOADS);
	services_report(reading, services_ticks() - start, LOADS);
}

/* Eight sums: one alone would wait for its own last addition, not for memory. */
size_t services_read_pass(uint64_t *area, size_t bytes)
{
	uint64_t sums[8] = {0};

	for (size_t i = 0; i < bytes / sizeof(*area); i += 8)
		for (size_t j = 0; j < 8; j++)
			sums[j] += area[i + j];
	for (size_t j = 0; j < 8; j++)
		__asm__ volatile("" : : "r"(sums[j]));
	return bytes;
}

size_t services_write_pass(uint64_t *area, size_t bytes)
{
	memset(area, 1, bytes);
	__asm__ volatile("" : : "r"(area) : "memory");
	return bytes;
}

/* One half into the other. Each byte counts once, although it is read and written. */
size_t services_copy_pass(uint64_t *area, size_t bytes)
{
	memcpy(area + bytes / 2 / sizeof(*area), area, bytes / 2);
	__asm__ volatile("" : : "r"(area) : "memory");
	return bytes / 2;
}

void services_bandwidth(const struct settings *settings, const void *parameter,
			struct reading *reading)
{
	const struct services_pass *pass = parameter;
	uint64_t *area, start, moved = 0;

	if (!is_beyond_caches(settings->bytes, reading))
		return;
	area = map_area(settings->bytes);
	services_write_pass(area, settings->bytes);
	pass->run(area, settings->bytes);
	start = reading_now_ns();
	while (moved < BYTES_MOVED)
		moved += pass->run(area, settings->bytes);
	reading->value[0] = (double)moved / (double)(reading_now_ns() - start);
}
