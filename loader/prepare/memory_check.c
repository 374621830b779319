#include "loader/prepare/prepare.h"

#include "common/control_group.h"
#include "common/kernel_text.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

/*
 * Smaller sizes are not checked: a check takes 50 us, and filling this many bytes takes a hundred
 * times as long.
 */
#define WORTH_LOOKING (UINT64_C(64) << 20)

#define MIB (UINT64_C(1) << 20)

/*
 * Bytes of memory that resident pages take. Pages of files that are only read are shared, and do
 * not count.
 */
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

/*
 * Bytes available without killing a process: free memory, and memory that the kernel can reclaim.
 */
static uint64_t available_bytes(void)
{
	char text[4096];
	uint64_t available =
	    kernel_bytes(kernel_text("/proc/meminfo", text, sizeof(text)), "MemAvailable:");

	return available != 0 ? available + kernel_bytes(text, "SwapFree:") : UINT64_MAX;
}

bool memory_suffices(const struct guest *guest, struct error *error)
{
	uint64_t wanted = wanted_bytes(guest), available;
	struct group_limit limit;

	if (guest->options.populate || wanted < WORTH_LOOKING)
		return true;
	available = available_bytes();
	limit = control_group_limit();
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

bool memory_check_file(uint64_t length)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) != 0 || length <= limit.rlim_cur;
}
