/* Anonymous memory from the kernel, in whole pages, because the heap is small. Host code. */
#pragma once

#include "common/page.h"

#include <stddef.h>
#include <sys/mman.h>

/*
 * `flags` are added to mmap's, for example MAP_NORESERVE. Returns NULL with errno if there is no
 * memory.
 */
static inline void *memory_map(uint64_t bytes, int flags)
{
	void *memory = mmap(NULL, page_ceil(bytes), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	return memory != MAP_FAILED ? memory : NULL;
}
