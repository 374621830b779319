/* pages_present: counts the pages of this process that are in memory, by asking the kernel. */
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#define PRESENT_BIT 63

/*
 * Returns how many of `count` pages have memory, according to /proc/self/pagemap, or -1 if that
 * cannot be read. The file's name is on the stack, where the kernel can read it in any case.
 */
static inline long pages_present(const void *start, long count)
{
	char name[] = "/proc/self/pagemap";
	int file = open(name, O_RDONLY);
	long present = 0;

	for (long i = 0; i < count; i++) {
		uint64_t entry = 0;
		off_t place = (off_t)((uintptr_t)start / PAGE + (uintptr_t)i) * 8;

		if (pread(file, &entry, sizeof(entry), place) != sizeof(entry))
			return -1;
		present += entry >> PRESENT_BIT & 1;
	}
	close(file);
	return present;
}
