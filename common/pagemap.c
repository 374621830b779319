/* Which pages of this process are in memory. */
#include "common/pagemap.h"

#include "common/page.h"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

/* Entries read at once. */
#define ENTRIES 512

#define PAGE_PRESENT (UINT64_C(1) << 63)
#define PAGE_OF_FILE (UINT64_C(1) << 61)

int pagemap_open(void)
{
	return open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
}

void pagemap_for_each(int pagemap, uint64_t start, uint64_t end, pagemap_page *each, void *context)
{
	uint64_t entries[ENTRIES];

	while (start < end) {
		uint64_t wanted = (end - start) / PAGE_BYTES;
		ssize_t got = pread(pagemap, entries,
				    (wanted < ENTRIES ? wanted : ENTRIES) * sizeof(entries[0]),
				    (off_t)(start / PAGE_BYTES * sizeof(entries[0])));

		if (got < (ssize_t)sizeof(entries[0]))
			return;
		for (ssize_t i = 0; i < got / (ssize_t)sizeof(entries[0]); i++) {
			if (entries[i] & PAGE_PRESENT)
				each(start, (entries[i] & PAGE_OF_FILE) != 0, context);
			start += PAGE_BYTES;
		}
	}
}

bool pagemap_is_zero(uint64_t address)
{
	const uint64_t *words = (const uint64_t *)address;

	for (unsigned i = 0; i < PAGE_BYTES / sizeof(*words); i++)
		if (words[i] != 0)
			return false;
	return true;
}
