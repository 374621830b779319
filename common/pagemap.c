/* Finds the pages of a process that are in memory. */
#include "common/pagemap.h"

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "common/page.h"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

/* Entries, and runs, that are read at a time. */
#define ENTRIES 512
#define RUNS	256
#define PAGES	65536

int pagemap_open(void)
{
	return open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
}

long pagemap_read(int pagemap, uint64_t start, uint64_t *entries, uint64_t pages)
{
	ssize_t got = pread(pagemap, entries, pages * sizeof(*entries),
			    (off_t)(start / PAGE_BYTES * sizeof(*entries)));

	return got < 0 ? -1 : got / (ssize_t)sizeof(*entries);
}

long pagemap_scan(int pagemap, struct kernel_pm_scan *scan)
{
	scan->size = sizeof(*scan);
	/* A raw system call, not ioctl(3): C libraries differ in the type of the request. */
	return raw_syscall3(SYS_ioctl, (uint64_t)pagemap, KERNEL_PAGEMAP_SCAN, (uint64_t)scan);
}

bool pagemap_scans(int pagemap)
{
	struct kernel_pm_scan nothing = {.start = 0, .end = 0};

	return pagemap_scan(pagemap, &nothing) >= 0;
}

/* Uses PAGEMAP_SCAN, which skips memory without page tables. Returns false before Linux 6.7. */
static bool scan_runs(int pagemap, uint64_t start, uint64_t end, pagemap_run *each, void *context)
{
	struct kernel_page_region found[RUNS];

	while (start < end) {
		struct kernel_pm_scan scan = {
		    .start = start,
		    .end = end,
		    .regions = (uint64_t)found,
		    .region_count = RUNS,
		    .page_count_max = PAGES,
		    .category_mask = KERNEL_PAGE_IS_PRESENT,
		    .return_mask = KERNEL_PAGE_IS_FILE,
		};
		long count = pagemap_scan(pagemap, &scan);

		if (count < 0 || scan.walk_end <= start)
			return false;
		for (long i = 0; i < count; i++)
			if (!each(found[i].start, found[i].end,
				  (found[i].categories & KERNEL_PAGE_IS_FILE) != 0, context))
				return true;
		start = scan.walk_end;
	}
	return true;
}

/* Uses the entries, one for each page of address space. */
static void read_runs(int pagemap, uint64_t start, uint64_t end, pagemap_run *each, void *context)
{
	uint64_t entries[ENTRIES];

	while (start < end) {
		uint64_t wanted = (end - start) / PAGE_BYTES;
		long got =
		    pagemap_read(pagemap, start, entries, wanted < ENTRIES ? wanted : ENTRIES);

		if (got < 1)
			return;
		for (long i = 0; i < got; i++, start += PAGE_BYTES)
			if ((entries[i] & KERNEL_PAGEMAP_PRESENT) &&
			    !each(start, start + PAGE_BYTES,
				  (entries[i] & KERNEL_PAGEMAP_OF_FILE) != 0, context))
				return;
	}
}

void pagemap_for_each_run(int pagemap, uint64_t start, uint64_t end, pagemap_run *each,
			  void *context)
{
	if (!scan_runs(pagemap, start, end, each, context))
		read_runs(pagemap, start, end, each, context);
}

/* Calls a function for each page of a run. */
struct each_page {
	pagemap_page *each;
	void *context;
};

static bool each_of_run(uint64_t start, uint64_t end, bool of_file, void *context)
{
	const struct each_page *page = context;

	for (; start < end; start += PAGE_BYTES)
		page->each(start, of_file, page->context);
	return true;
}

void pagemap_for_each(int pagemap, uint64_t start, uint64_t end, pagemap_page *each, void *context)
{
	struct each_page page = {each, context};

	pagemap_for_each_run(pagemap, start, end, each_of_run, &page);
}

static bool count_run(uint64_t start, uint64_t end, bool of_file, void *context)
{
	(void)of_file;
	*(uint64_t *)context += (end - start) / PAGE_BYTES;
	return true;
}

uint64_t pagemap_count(int pagemap, uint64_t start, uint64_t end)
{
	uint64_t count = 0;

	pagemap_for_each_run(pagemap, start, end, count_run, &count);
	return count;
}
