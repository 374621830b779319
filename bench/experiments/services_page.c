/*
 * The cost of one page, by every way of getting it. One page of each block is read, in random
 * order. A block is what the kernel maps around a page of a file ("fault-around", which MADV_RANDOM
 * does not turn off), so that every page is a separate fault.
 */
#include "bench/experiments/services.h"
#include "bench/shared/statistics.h"
#include "common/page.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define BLOCK_BYTES ((size_t)(16 * PAGE_BYTES))
/* More would need more mappings than the kernel grants, two for each page that is alone. */
#define MOST_BLOCKS 4096
#define PASSES	    8

/* The source of the pages. */
struct place {
	int fd; /* -1: no file */
	char *area;
	size_t bytes, blocks, *order;
};

/* Bytes that no file system can leave out or shrink. */
static void fill_file(int fd, size_t bytes, uint64_t seed)
{
	static uint64_t block[BLOCK_BYTES / sizeof(uint64_t)];

	for (size_t done = 0; done < bytes; done += sizeof(block)) {
		for (size_t i = 0; i < sizeof(block) / sizeof(*block); i++)
			block[i] = statistics_random(&seed);
		errno = 0;
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block))
			reading_fail("cannot write a file of %zu MiB: %s", bytes >> 20,
				     errno != 0 ? strerror(errno) : "no room");
	}
}

/* Only clean pages can be dropped. */
static void drop_file(int fd)
{
	int error;

	if (fsync(fd) != 0)
		reading_fail("cannot write the file to its disk: %s", strerror(errno));
	error = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (error == 0)
		error = posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	if (error != 0)
		reading_fail("cannot drop the file from the cache: %s", strerror(error));
}

/* The kernel may ignore advice: a file system in memory keeps its pages. */
static void check_dropped(const struct place *place)
{
	size_t pages = place->bytes / PAGE_BYTES, resident = 0;
	unsigned char *there = malloc(pages);

	if (there == NULL || mincore(place->area, place->bytes, there) != 0)
		reading_fail("cannot tell what is in the cache: %s", strerror(errno));
	for (size_t i = 0; i < pages; i++)
		resident += there[i] & 1;
	free(there);
	if (resident > pages / 100)
		reading_fail("%zu of %zu pages stay in the cache: a file system in memory?",
			     resident, pages);
}

static void *map(void *where, size_t bytes, int fd, size_t offset, int protection)
{
	int flags = MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0) | (where != NULL ? MAP_FIXED : 0);
	void *area = mmap(where, bytes, protection, flags, fd, (off_t)offset);

	if (area == MAP_FAILED)
		reading_fail("cannot map %zu KiB: %s", bytes >> 10, strerror(errno));
	return area;
}

/* A mapping of one page has no neighbors: that keeps the kernel from mapping any. */
static void map_place(struct place *place, bool alone)
{
	if (!alone) {
		place->area = map(NULL, place->bytes, place->fd, 0, PROT_READ | PROT_WRITE);
		/* Either advice may be refused without harm: the kernel then has no large pages, or
		   no readahead. */
		madvise(place->area, place->bytes, MADV_NOHUGEPAGE);
		madvise(place->area, place->bytes, MADV_RANDOM);
		return;
	}
	place->area = map(NULL, place->bytes, -1, 0, PROT_NONE);
	for (size_t i = 0; i < place->blocks; i++)
		map(place->area + i * BLOCK_BYTES, PAGE_BYTES, place->fd, i * BLOCK_BYTES,
		    PROT_READ | PROT_WRITE);
}

static void make_place(struct place *place, const struct settings *settings,
		       const struct services_page *page)
{
	uint64_t seed = settings->seed;

	place->blocks = settings->bytes / BLOCK_BYTES;
	if (place->blocks > MOST_BLOCKS)
		place->blocks = MOST_BLOCKS;
	place->bytes = place->blocks * BLOCK_BYTES;
	reading_need_memory(place->bytes);
	place->order = calloc(place->blocks, sizeof(*place->order));
	if (place->order == NULL)
		reading_fail("no memory: %s", strerror(errno));
	statistics_shuffle(&seed, place->order, place->blocks);
	place->fd = -1;
	if (page->from != PAGE_ZEROED) {
		place->fd = reading_file(settings, place->bytes);
		fill_file(place->fd, place->bytes, seed);
	}
	if (page->from == PAGE_DROPPED)
		drop_file(place->fd);
	map_place(place, page->alone);
	if (page->from == PAGE_DROPPED)
		check_dropped(place);
}

static uint64_t time_pages(const struct place *place, const struct services_page *page)
{
	static char buffer[PAGE_BYTES];
	uint64_t start = services_ticks();

	for (size_t i = 0; i < place->blocks; i++) {
		size_t offset = place->order[i] * BLOCK_BYTES;
		volatile char *at = place->area + offset;

		if (page->by == BY_STORE)
			*at = 1;
		else if (page->by == BY_LOAD)
			(void)*at;
		else if (pread(place->fd, buffer, sizeof(buffer), (off_t)offset) !=
			 (ssize_t)sizeof(buffer))
			reading_fail("cannot read the file: %s", strerror(errno));
	}
	return services_ticks() - start;
}

/* Major faults are those that waited for a disk. */
static size_t faults_so_far(const struct services_page *page)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (size_t)(page->from == PAGE_DROPPED ? usage.ru_majflt : usage.ru_minflt);
}

/*
 * A dropped file's pages are in memory after one pass; those of other places are thrown away and
 * got again.
 */
void services_page(const struct settings *settings, const void *parameter, struct reading *reading)
{
	const struct services_page *page = parameter;
	size_t passes = page->from == PAGE_DROPPED ? 1 : PASSES, faults, due;
	struct place place;
	uint64_t ticks = 0;

	make_place(&place, settings, page);
	/* Memory that the host has not backed yet is slow: it gets touched once untimed. */
	if (page->from != PAGE_DROPPED)
		time_pages(&place, page);
	due = passes * place.blocks;
	faults = faults_so_far(page);
	for (size_t i = 0; i < passes; i++) {
		madvise(place.area, place.bytes, MADV_DONTNEED);
		ticks += time_pages(&place, page);
	}
	faults = page->by == BY_PREAD ? due : faults_so_far(page) - faults;
	if (faults < due - due / 20 || faults > due + due / 20 + 2)
		reading_absent(reading, "%zu faults where %zu were due", faults, due);
	else
		services_report(reading, ticks, faults);
}
