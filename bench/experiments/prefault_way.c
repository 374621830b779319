/* How each way of the experiment `prefault` gets its memory: the calls, and the access loop. */
#include "bench/experiments/prefault_way.h"
#include "common/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* EAGAIN of mmap and ENOMEM of mlock say little: the limit is nearly always why. */
_Noreturn static void fail_lock(const char *what, size_t bytes)
{
	const char *error = strerror(errno);
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur < bytes)
		reading_fail("%s of %zu KiB: %s; `ulimit -l` allows %llu KiB", what, bytes >> 10,
			     error, (unsigned long long)limit.rlim_cur >> 10);
	reading_fail("%s: %s", what, error);
}

static char *map(size_t bytes, int flags)
{
	void *start =
	    mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (start == MAP_FAILED)
		reading_fail("mmap of %zu MiB: %s", bytes >> 20, strerror(errno));
	return start;
}

static void remap(char *start, size_t bytes, int flag)
{
	void *again = mmap(start, bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED | flag, -1, 0);

	if (again == MAP_FAILED && flag == MAP_LOCKED)
		fail_lock("MAP_LOCKED", bytes);
	if (again == MAP_FAILED)
		reading_fail("mmap with MAP_FIXED: %s", strerror(errno));
}

static char *allocate(size_t bytes)
{
	char *start = malloc(bytes);

	if (start == NULL)
		reading_fail("malloc of %zu MiB: %s", bytes >> 20, strerror(errno));
	return start;
}

/* Huge pages begin at multiples of their size, so one more is reserved to find such a place. */
static char *map_huge(size_t bytes)
{
	uintptr_t start = (uintptr_t)map(bytes + HUGE_BYTES, 0);
	char *aligned = (char *)((start + HUGE_BYTES - 1) & ~(HUGE_BYTES - 1));

	if (madvise(aligned, bytes, MADV_HUGEPAGE) != 0)
		reading_fail("madvise(MADV_HUGEPAGE): %s", strerror(errno));
	return aligned;
}

void way_populate(char *start, size_t bytes, int advice)
{
	const char *name =
	    advice == MADV_POPULATE_READ ? "MADV_POPULATE_READ" : "MADV_POPULATE_WRITE";

	if (madvise(start, bytes, advice) == 0)
		return;
	if (errno == EINVAL)
		reading_fail("the kernel has no %s: Linux 5.14 does", name);
	reading_fail("madvise(%s): %s", name, strerror(errno));
}

struct area way_set_up(const struct way *way, size_t bytes)
{
	struct area area = {.bytes = bytes};

	if (way->from_malloc)
		area.start = allocate(bytes);
	else if (way->huge)
		area.start = map_huge(bytes);
	else if (way->reserve != 0)
		area.start = map(way->reserve > bytes ? way->reserve : bytes, MAP_NORESERVE);
	else
		area.start = map(bytes, 0);
	if (way->remap != 0)
		remap(area.start, bytes, way->remap);
	if (way->lock && mlock(area.start, bytes) != 0)
		fail_lock("mlock", bytes);
	if (way->populate != 0)
		way_populate(area.start, bytes, way->populate);
	return area;
}

void way_touch(const struct way *way, const struct area *area)
{
	for (size_t at = 0; at < area->bytes; at += PAGE_BYTES)
		touch(area->start + at, way->writes);
}
