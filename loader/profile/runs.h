/* Which runs of a profile lie in a range of pages. Pure. */
#ifndef LOADER_PROFILE_RUNS_H
#define LOADER_PROFILE_RUNS_H

#include "loader/profile/profile.h"

/*
 * Goes on to the next run that was written, or was only read, and has pages in [low, high): *part
 * is what of it lies there. *next is 0 before the first call. Looks at runs that lie there, and to
 * find the first of them at as many as a binary search does.
 */
bool runs_next(const struct profile *profile, uint64_t low, uint64_t high, bool written,
	       size_t *next, struct profile_run *part);

#endif
