/* The loader's own heap; malloc and its relatives are replaced by host_heap.c. */
#ifndef COMMON_HOST_HEAP_H
#define COMMON_HOST_HEAP_H

#include <stdint.h>

/* The address of what had to be added to the heap, and its length in bytes; 0: nothing was. */
uint64_t host_heap_extension(uint64_t *length);

#endif
