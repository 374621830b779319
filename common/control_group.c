#include "common/control_group.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the kernel shows the control groups that limit memory (cgroups(7)), by version. */
static const struct hierarchy {
	/* In a line of /proc/self/cgroup, as 4:memory:/some/group. */
	char controller[8];
	char folder[24], limit[24];
} hierarchies[] = {
    {"", "/sys/fs/cgroup", "memory.max"},
    {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
};

enum { HIERARCHIES = sizeof(hierarchies) / sizeof(hierarchies[0]) };

/* A group's limit; UINT64_MAX where there is none ("max"), or it cannot be read. */
static uint64_t read_limit(const struct hierarchy *hierarchy, const char *group)
{
	char path[PATH_MAX], text[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%s%.4000s/%s", hierarchy->folder, group, hierarchy->limit);
	file = fopen(path, "re");
	if (file == NULL)
		return UINT64_MAX;
	if (fgets(text, sizeof(text), file) == NULL)
		text[0] = '\0';
	fclose(file);
	return text[0] >= '0' && text[0] <= '9' ? strtoull(text, NULL, 10) : UINT64_MAX;
}

/* Lowers the limit to that of a group, and of those that hold it. Leaves "" of its path. */
static void lower_to_group(const struct hierarchy *hierarchy, char *group,
			   struct group_limit *limit)
{
	char *slash;

	group[strcspn(group, "\n")] = '\0';
	do {
		uint64_t found = read_limit(hierarchy, group);

		if (found < limit->bytes)
			*limit = (struct group_limit){found, hierarchy->limit};
		slash = strrchr(group, '/');
		if (slash != NULL)
			*slash = '\0';
	} while (slash != NULL);
}

struct group_limit control_group_limit(void)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	struct group_limit limit = {.bytes = UINT64_MAX};
	char line[PATH_MAX], *controller, *group;

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		controller = strchr(line, ':');
		group = controller != NULL ? strchr(controller + 1, ':') : NULL;
		if (group == NULL)
			continue;
		*group++ = '\0';
		for (unsigned i = 0; i < HIERARCHIES; i++)
			if (strcmp(controller + 1, hierarchies[i].controller) == 0)
				lower_to_group(&hierarchies[i], group, &limit);
	}
	if (file != NULL)
		fclose(file);
	return limit;
}
