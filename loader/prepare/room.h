/*
 * Memory that stays when the loader has left, for what resident code works with: zeroed whole
 * pages. Resident memory has room for what most programs need, which saves a system call each, and
 * a mapping: see start.ld. What does not fit comes from mmap.
 */
#ifndef LOADER_PREPARE_ROOM_H
#define LOADER_PREPARE_ROOM_H

#include <stdbool.h>
#include <stdint.h>

/* NULL, with errno, if there is none. `length` in bytes. */
void *room_take(uint64_t length);

/* A page that is going to be moved away with mremap. NULL, with errno, if there is none. */
void *room_take_page(void);

/* Whether it came from resident memory, and is not to be unmapped. */
bool room_has(const void *memory);

#endif
