/* Finds the runs of a profile that are in a range of pages. Pure. */
#pragma once

#include "loader/files/profile.h"

/*
 * Advances to the next run with pages in [low, high) that was written, or only read. *part is the
 * part of it in that range. *next is 0 before the first call. Visits only the runs in the range,
 * after a binary search for the first.
 */
bool runs_next(const struct profile *profile, uint64_t low, uint64_t high, bool written,
	       size_t *next, struct profile_run *part);
