/* The memory that the control groups of this process allow it (cgroups(7)). Host code. */
#ifndef COMMON_CONTROL_GROUP_H
#define COMMON_CONTROL_GROUP_H

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

#endif
