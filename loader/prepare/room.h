/* Resident memory, and what is mapped when it is used up. Host code. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Memory that stays after the loader has left, for resident code: zeroed whole pages. Resident
 * memory has room for what most programs need, which saves a system call and a mapping each time:
 * see start.ld. What does not fit there is mapped by mmap. Returns NULL, with errno, if there is no
 * memory.
 */
void *room_take(uint64_t length);

/* Takes a page that will be moved away with mremap. */
void *room_take_page(void);

/* Whether memory came from the resident room, and must not be unmapped. */
bool room_has(const void *memory);
