/*
 * Exact page tables for learning: in mappings that a userfaultfd is registered for, a fault brings
 * in one page, and not those around it that are in the page cache, too.
 */
#ifndef LOADER_PROFILE_EXACT_H
#define LOADER_PROFILE_EXACT_H

#include "loader/guest.h"

/* A descriptor for it; -1 where the kernel has none (before Linux 6.7), or denies it. */
int exact_open(void);

/* Registers what is mapped of the program's files, and closes the descriptor: others have it. */
void exact_begin(const struct guest *guest, int descriptor);

#endif
