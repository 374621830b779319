/* The loader's own heap; malloc and its relatives are replaced by host_heap.c. */
#ifndef COMMON_HOST_HEAP_H
#define COMMON_HOST_HEAP_H

#include <stdint.h>

/*
 * Makes the heap's first pages, and everything from there to `end`, present in one call: a page
 * fault each would cost more. Without effect before Linux 5.14.
 */
void host_heap_prefault(const uint8_t *end);

#endif
