#include "loader/prepare/memory_check.h"

#include "loader/guest.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/*
 * Fewer bytes are not looked at: looking takes 50 us, and filling so many bytes a hundred times as
 * long.
 */
#define WORTH_LOOKING (UINT64_C(64) << 20)

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)

/* Bytes of memory that resident pages take; pages of files that are only read are shared. */
static uint64_t wanted_bytes(const struct guest *guest)
{
	struct mapped at = {.object = NULL};
	uint64_t bytes = 0;

	while (guest_next_mapping(guest, &at))
		if (at.mapping->presence == PRESENCE_RESIDENT &&
		    (!at.mapping->from_file || (at.mapping->protection & PROT_WRITE)))
			bytes += at.mapping->length;
	return bytes;
}

/* Bytes that can be had without killing anybody: memory, and room for what others have in it. */
static uint64_t available_bytes(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	uint64_t available = UINT64_MAX, swap = 0;
	char line[128];

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		if (strncmp(line, "MemAvailable:", 13) == 0)
			available = strtoul(line + 13, NULL, 10) * KIB;
		else if (strncmp(line, "SwapFree:", 9) == 0)
			swap = strtoul(line + 9, NULL, 10) * KIB;
	}
	if (file != NULL)
		fclose(file);
	return available == UINT64_MAX ? available : available + swap;
}

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

struct limit {
	uint64_t bytes; /* UINT64_MAX: there is none */
	const char *file;
};

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
	return text[0] >= '0' && text[0] <= '9' ? strtoul(text, NULL, 10) : UINT64_MAX;
}

/* Lowers the limit to that of a group, and of those that hold it. Leaves "" of its path. */
static void lower_to_group(const struct hierarchy *hierarchy, char *group, struct limit *limit)
{
	char *slash;

	group[strcspn(group, "\n")] = '\0';
	do {
		uint64_t found = read_limit(hierarchy, group);

		if (found < limit->bytes)
			*limit = (struct limit){found, hierarchy->limit};
		slash = strrchr(group, '/');
		if (slash != NULL)
			*slash = '\0';
	} while (slash != NULL);
}

/* The lowest limit of the control groups that this process is in. */
static struct limit group_limit(void)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	struct limit limit = {.bytes = UINT64_MAX};
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

bool memory_suffices(const struct guest *guest, struct error *error)
{
	uint64_t wanted = wanted_bytes(guest), available;
	struct limit limit;

	if (guest->options.populate || wanted < WORTH_LOOKING)
		return true;
	available = available_bytes();
	limit = group_limit();
	if (wanted <= available && wanted <= limit.bytes)
		return true;
	return error_set(
	    error, EXIT_NOT_LOADABLE,
	    "needs %lu MiB of memory before it starts, and %s %s %lu: use hybrid_loader or "
	    "on_demand_loader, or --populate=anyway",
	    wanted / MIB, limit.bytes < available ? limit.file : "there",
	    limit.bytes < available ? "is" : "are",
	    (limit.bytes < available ? limit.bytes : available) / MIB);
}
