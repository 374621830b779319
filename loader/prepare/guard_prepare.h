/* Setting up the interception of system calls before the jump. */
#ifndef LOADER_PREPARE_GUARD_PREPARE_H
#define LOADER_PREPARE_GUARD_PREPARE_H

#include "loader/guest.h"

/*
 * Whether resident code has something to do in the program: bring in hidden pages, show it its own
 * file where /proc/self/exe may stay ours, or tell where it was when it was killed.
 */
bool guard_find_need(const struct guest *guest);

/*
 * Prepares the first thread's block and finds out whether system calls can be intercepted. Needed
 * where pages are hidden, and for a program that could not find its own file without.
 */
bool guard_prepare(const struct guest *guest, bool pages_hidden, struct error *error);

#endif
