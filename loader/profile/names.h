/*
 * Absolute paths in a program's memory. Whoever opens a file by its name has that name in memory,
 * and most interpreters keep it: Python's modules, Perl's %INC, a path that was configured. Pure.
 */
#ifndef LOADER_PROFILE_NAMES_H
#define LOADER_PROFILE_NAMES_H

#include "loader/profile/profile_key.h"
#include "loader/profile/profile_place.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names {
	char *text; /* the names found so far, each with a NUL after it */
	size_t length, count;
	uint64_t *hashes; /* of these names: an open-addressed table, 0 where there is none yet */
	/* The beginning of a name that may go on at the address `next`. */
	char kept[PROFILE_PATH_LENGTH];
	size_t kept_length;
	uint64_t next;
};

/* Makes room; false if there is no memory. */
bool names_make(struct names *names);

/* Adds the names in `length` bytes that are at this address of the program's. */
void names_search(struct names *names, uint64_t address, const char *bytes, size_t length);

#endif
