/* The engine `userfaultfd` has a descriptor, and things that others have to know about it. */
#ifndef LOADER_RESIDENT_PAGER_ENGINE_USERFAULTFD_H
#define LOADER_RESIDENT_PAGER_ENGINE_USERFAULTFD_H

#include <stdint.h>

/* -1 where the engine is not used, and behind the end of lazy paging. */
extern int userfaultfd_descriptor;

/* Zeros for it to copy from; nothing is ever written there. */
#define ZEROS_BYTES (8 * UINT64_C(4096))
extern const uint8_t *userfaultfd_zeros;

#endif
