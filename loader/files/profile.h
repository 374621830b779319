/*
 * Profiles: the pages that a run of a program touched. --record writes a profile, and --profile
 * brings its pages in before entry. docs/profiles.md describes the format.
 */
#pragma once

#include "loader/files/files.h"

#include <stddef.h>
#include <stdint.h>

/* Adjacent pages that were touched in the same way. */
struct profile_run {
	uint64_t first, pages; /* page numbers, without the load bias */
	bool written;
};

struct profile {
	struct profile_run *runs;
	size_t count;
	struct known_files files; /* empty in a profile of format 1 */
	int64_t written;	  /* time of writing, in seconds */
};
