#include "common/placement/frame_use.h"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

/* A free block (linux/kernel-page-flags.h: KPF_BUDDY). */
#define IS_FREE (UINT64_C(1) << 10)

int frame_use_open(void)
{
	return open("/proc/kpageflags", O_RDONLY | O_CLOEXEC);
}

enum frame_use frame_use_of(int flags, uint64_t frame)
{
	uint64_t entry;

	if (flags < 0 ||
	    pread(flags, &entry, sizeof(entry), (off_t)(frame * sizeof(entry))) != sizeof(entry))
		return FRAME_NOT_TOLD;
	return entry == 0 || (entry & IS_FREE) != 0 ? FRAME_FREE : FRAME_IN_USE;
}
