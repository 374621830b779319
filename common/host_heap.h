/* The loader's own heap; malloc and its relatives are replaced by host_heap.c. */
#ifndef COMMON_HOST_HEAP_H
#define COMMON_HOST_HEAP_H

#include <stdint.h>

/* The addresses of what had to be added to the heap: no byte if nothing was. */
void host_heap_extension(uint64_t *start, uint64_t *end);

/*
 * From here on memory is added whenever the heap is full. For commands that start no program: a
 * loader gives back only what was added last.
 */
void host_heap_grow_again(void);

#endif
