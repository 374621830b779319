/*
 * Memory that stays when the loader has left, for what resident code works with: zeroed whole
 * pages. Resident memory has room for what most programs need, which saves a system call each, and
 * a mapping: see start.ld. What does not fit there is mapped by mmap.
 */
#ifndef LOADER_PREPARE_ROOM_H
#define LOADER_PREPARE_ROOM_H

#include <stdbool.h>
#include <stdint.h>

/* Takes `length` bytes. NULL, with errno, if there is no memory. */
void *room_take(uint64_t length);

/*
 * Takes a page that is going to be moved away with mremap. NULL, with errno, if there is no memory.
 */
void *room_take_page(void);

/* Whether memory came from the resident room, and may not be unmapped. */
bool room_has(const void *memory);

#endif
