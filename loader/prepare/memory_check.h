/* Whether there is memory for the pages that are filled before the program starts. */
#ifndef LOADER_PREPARE_MEMORY_CHECK_H
#define LOADER_PREPARE_MEMORY_CHECK_H

#include "common/error.h"

struct guest;

/*
 * Refuses to fill pages that take more memory than is available: the kernel promises more than it
 * has, and would kill somebody for it. A small program is not looked at, nor one with
 * --populate=anyway.
 */
bool memory_suffices(const struct guest *guest, struct error *error);

#endif
