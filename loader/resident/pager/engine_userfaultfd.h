/* The engine `userfaultfd`: its descriptor and its zeros, which other files have to know. */
#ifndef LOADER_RESIDENT_PAGER_ENGINE_USERFAULTFD_H
#define LOADER_RESIDENT_PAGER_ENGINE_USERFAULTFD_H

#include <stdint.h>

/* -1 where the engine is not used, and behind the end of lazy paging. */
extern int userfaultfd_descriptor;

/* Zeros for it to copy from; nothing is ever written there. */
#define ZEROS_BYTES (8 * UINT64_C(4096))
extern const uint8_t *userfaultfd_zeros;

#endif
