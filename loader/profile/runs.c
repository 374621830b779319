#include "loader/profile/runs.h"

#include "common/page.h"

/* The first run that does not end before a page. Runs are sorted and do not overlap. */
static size_t find_run(const struct profile *profile, uint64_t page)
{
	size_t low = 0, high = profile->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (profile->runs[middle].first + profile->runs[middle].pages <= page)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool runs_next(const struct profile *profile, uint64_t low, uint64_t high, bool written,
	       size_t *next, struct profile_run *part)
{
	if (*next == 0)
		*next = find_run(profile, low);
	while (*next < profile->count && profile->runs[*next].first < high) {
		const struct profile_run *run = &profile->runs[(*next)++];
		uint64_t start = higher(run->first, low);
		uint64_t end = lower(run->first + run->pages, high);

		if (run->written == written && start < end) {
			*part = (struct profile_run){start, end - start, written};
			return true;
		}
	}
	return false;
}
