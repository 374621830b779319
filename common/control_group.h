/* What memory the control groups of this process leave it (cgroups(7)). Host code. */
#ifndef COMMON_CONTROL_GROUP_H
#define COMMON_CONTROL_GROUP_H

#include <stdint.h>

struct group_limit {
	uint64_t bytes;	  /* UINT64_MAX: there is none */
	const char *file; /* what the kernel calls it; NULL: there is none */
};

/* The lowest limit of the groups that this process is in, of either version, and of those that hold
 * them. */
struct group_limit control_group_limit(void);

#endif
