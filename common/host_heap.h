/* The loader's own heap; malloc and its relatives are replaced by host_heap.c. */
#pragma once

#include <stdint.h>

/* The range that was added to the heap; empty if nothing was added. */
void host_heap_extension(uint64_t *start, uint64_t *end);

/*
 * From here on memory is added whenever the heap is full. For commands that start no program: a
 * loader can unmap only what was added last.
 */
void host_heap_grow_again(void);
