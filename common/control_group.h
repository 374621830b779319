/* The memory that the control groups of this process allow it (cgroups(7)). Host code. */
#pragma once

#include <stdint.h>

struct group_limit {
	uint64_t bytes;	  /* UINT64_MAX: there is no limit */
	const char *file; /* the kernel's name for it; NULL: there is no limit */
};

/*
 * The lowest limit of the groups that this process is in, of either version, and of the groups that
 * contain them.
 */
struct group_limit control_group_limit(void);
