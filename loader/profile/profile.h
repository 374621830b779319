/*
 * Profiles: which pages a run of a program touched, written down by --record, and brought in
 * before entry by --profile. The format is in docs/profiles.md.
 */
#ifndef LOADER_PROFILE_H
#define LOADER_PROFILE_H

#include "common/error.h"
#include "loader/profile/files/files.h"

#include <stddef.h>
#include <stdint.h>

struct guest;

/* Neighbouring pages that were touched in the same way. */
struct profile_run {
	uint64_t first, pages; /* page numbers, without the load bias */
	bool written;
};

struct profile {
	struct profile_run *runs;
	size_t count;
	struct known_files files; /* none in a profile of format 1 */
	int64_t written;	  /* when, in seconds */
};

/*
 * Reads what --profile names into guest->profile. One that belongs to another program, or to
 * another version of it, is left alone with a detail. Fails for a file that was named and is not
 * there, or is no profile.
 */
bool profile_read(struct guest *guest, struct error *error);

#endif
