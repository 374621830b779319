#include "common/control_group.h"

#include "common/kernel_text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The files of the control groups that limit memory (cgroups(7)), by version. */
static const struct hierarchy {
	/* The controller's name in a line of /proc/self/cgroup, such as 4:memory:/some/group. */
	char controller[8];
	char folder[24], limit[24];
} hierarchies[] = {
    {"", "/sys/fs/cgroup", "memory.max"},
    {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
};

enum { HIERARCHIES = sizeof(hierarchies) / sizeof(hierarchies[0]) };

/* Lowers the limit to that of a group and of the groups that contain it. Leaves "" in `group`. */
static void lower_to_group(const struct hierarchy *hierarchy, char *group,
			   struct group_limit *limit)
{
	char path[PATH_MAX], *slash;
	uint64_t bytes;

	do {
		/* memory.max contains the word "max" if there is no limit. */
		snprintf(path, sizeof(path), "%s%.4000s/%s", hierarchy->folder, group,
			 hierarchy->limit);
		bytes = kernel_number(path, UINT64_MAX);
		if (bytes < limit->bytes)
			*limit = (struct group_limit){bytes, hierarchy->limit};
		slash = strrchr(group, '/');
		if (slash != NULL)
			*slash = '\0';
	} while (slash != NULL);
}

struct group_limit control_group_limit(void)
{
	char text[2 * PATH_MAX], *rest = kernel_text("/proc/self/cgroup", text, sizeof(text));
	struct group_limit limit = {.bytes = UINT64_MAX};
	char *group, *controller;

	/* Each line is NUMBER:CONTROLLER:GROUP. */
	while ((group = strsep(&rest, "\n")) != NULL) {
		strsep(&group, ":");
		controller = strsep(&group, ":");
		for (unsigned i = 0; i < HIERARCHIES && group != NULL; i++)
			if (strcmp(controller, hierarchies[i].controller) == 0)
				lower_to_group(&hierarchies[i], group, &limit);
	}
	return limit;
}
