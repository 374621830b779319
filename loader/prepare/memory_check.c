#include "loader/prepare/memory_check.h"

#include "common/kernel_text.h"
#include "common/page.h"
#include "loader/guest.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/*
 * Fewer bytes are not looked at: looking takes 50 us, and filling so many bytes a hundred times as
 * long.
 */
#define WORTH_LOOKING (UINT64_C(64) << 20)

#define MIB (UINT64_C(1) << 20)

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
	char text[4096];
	uint64_t available =
	    kernel_meminfo(kernel_text("/proc/meminfo", text, sizeof(text)), "MemAvailable:");

	return available != 0 ? available + kernel_meminfo(text, "SwapFree:") : UINT64_MAX;
}

/* The lowest limit of the control groups that this process is in (cgroups(7), version 2). */
static uint64_t group_limit(void)
{
	char text[2 * PATH_MAX], path[PATH_MAX], *group, *slash;
	uint64_t limit = UINT64_MAX;

	group = strstr(kernel_text("/proc/self/cgroup", text, sizeof(text)), "0::/");
	if (group == NULL)
		return limit;
	group += 3;
	group[strcspn(group, "\n")] = '\0';
	do {
		/* The file has the word "max" where there is no limit. */
		snprintf(path, sizeof(path), "/sys/fs/cgroup%.4000s/memory.max", group);
		limit = lower(limit, kernel_number(path, UINT64_MAX));
		slash = strrchr(group, '/');
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
	if (wanted <= lower(limit, available))
		return true;
	return error_set(
	    error, EXIT_NOT_LOADABLE,
	    "needs %lu MiB of memory before it starts, and %s %lu: use hybrid_loader or "
	    "on_demand_loader, or --populate=anyway",
	    wanted / MIB, limit < available ? "memory.max is" : "there are",
	    lower(limit, available) / MIB);
}
