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

/* A group's memory.max; UINT64_MAX where there is none ("max"), or it cannot be read. */
static uint64_t read_limit(const char *group)
{
	char path[PATH_MAX], text[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/sys/fs/cgroup%.4000s/memory.max", group);
	file = fopen(path, "re");
	if (file == NULL)
		return UINT64_MAX;
	if (fgets(text, sizeof(text), file) == NULL)
		text[0] = '\0';
	fclose(file);
	return text[0] >= '0' && text[0] <= '9' ? strtoul(text, NULL, 10) : UINT64_MAX;
}

/* The lowest limit of the control groups that this process is in (cgroups(7), version 2). */
static uint64_t group_limit(void)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	uint64_t limit = UINT64_MAX, found;
	char line[PATH_MAX] = "", *slash;
	bool is_there = false;

	while (file != NULL && !is_there && fgets(line, sizeof(line), file) != NULL)
		is_there = strncmp(line, "0::/", 4) == 0;
	if (file != NULL)
		fclose(file);
	if (!is_there)
		return limit;
	line[strcspn(line, "\n")] = '\0';
	do {
		found = read_limit(line + 3);
		limit = found < limit ? found : limit;
		slash = strrchr(line + 3, '/');
		if (slash != NULL)
			*slash = '\0';
	} while (slash != NULL);
	return limit;
}

bool memory_suffices(const struct guest *guest, struct error *error)
{
	uint64_t wanted = wanted_bytes(guest), available, limit;

	if (guest->options.populate || wanted < WORTH_LOOKING)
		return true;
	available = available_bytes();
	limit = group_limit();
	if (wanted <= available && wanted <= limit)
		return true;
	return error_set(
	    error, EXIT_NOT_LOADABLE,
	    "needs %lu MiB of memory before it starts, and %s %lu: use hybrid_loader or "
	    "on_demand_loader, or --populate=anyway",
	    wanted / MIB, limit < available ? "memory.max is" : "there are",
	    (limit < available ? limit : available) / MIB);
}
