/*
 * Profiles: which pages a run of a program touched, written down by --record, and brought in
 * before entry by --profile. The format is in docs/profiles.md.
 */
#ifndef LOADER_PROFILE_H
#define LOADER_PROFILE_H

#include "loader/profile/files/files.h"

#include <stddef.h>
#include <stdint.h>

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

#endif
