/*
 * Finds absolute paths in a program's memory. A program that opens a file by name has the name in
 * memory, and most interpreters keep it: Python's modules, Perl's %INC, a configured path.
 */
#pragma once

#include "loader/profile/profile_key.h"
#include "loader/profile/profile_place.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names {
	char *text; /* the names found so far, each followed by a NUL */
	size_t length, count;
	uint64_t *hashes; /* hashes of these names: an open-addressed table; 0: an empty entry */
	/* The start of a name that may continue at the address `next`. */
	char kept[PROFILE_PATH_LENGTH];
	size_t kept_length;
	uint64_t next;
};

/* Allocates the tables. Returns false if there is no memory. */
bool names_make(struct names *names);

/* Adds the names in `length` bytes that are at this address of the program. Pure. */
void names_search(struct names *names, uint64_t address, const char *bytes, size_t length);

/*
 * How many times longer a search takes here than on a server's processor (AMD EPYC), for which
 * limits of time were chosen: 1 to 50. Measures it in some 30 us, or on a slow processor as many
 * times longer. Adds no name.
 */
unsigned names_slowness(struct names *names);
