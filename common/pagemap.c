/* Which pages of this process are in memory. */
#include "common/pagemap.h"

#include "common/kernel_abi.h"
#include "common/page.h"

#include <fcntl.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* Entries read at once. */
#define ENTRIES 512

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

void pagemap_for_each(int pagemap, uint64_t start, uint64_t end, pagemap_page *each, void *context)
{
	uint64_t entries[ENTRIES];

	while (start < end) {
		uint64_t wanted = (end - start) / PAGE_BYTES;
		long got =
		    pagemap_read(pagemap, start, entries, wanted < ENTRIES ? wanted : ENTRIES);

		if (got < 1)
			return;
		for (long i = 0; i < got; i++) {
			if (entries[i] & KERNEL_PAGEMAP_PRESENT)
				each(start, (entries[i] & KERNEL_PAGEMAP_OF_FILE) != 0, context);
			start += PAGE_BYTES;
		}
	}
}

static void count_page(uint64_t address, bool of_file, void *context)
{
	(void)address;
	(void)of_file;
	++*(uint64_t *)context;
}

uint64_t pagemap_count(int pagemap, uint64_t start, uint64_t end)
{
	uint64_t count = 0;

	pagemap_for_each(pagemap, start, end, count_page, &count);
	return count;
}

bool pagemap_is_zero(uint64_t address)
{
	uint64_t words[PAGE_BYTES / sizeof(uint64_t)];
	struct iovec here = {words, sizeof(words)}, there = {(void *)address, sizeof(words)};

	/* The kernel reads the page: it returns an error where an access would be a fault. */
	if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != PAGE_BYTES)
		return false;
	for (unsigned i = 0; i < PAGE_BYTES / sizeof(*words); i++)
		if (words[i] != 0)
			return false;
	return true;
}
