/*
 * Whether a frame is free, from /proc/kpageflags (Documentation/admin-guide/mm/pagemap.rst in the
 * kernel's source). Host code.
 */
#ifndef COMMON_PLACEMENT_FRAME_USE_H
#define COMMON_PLACEMENT_FRAME_USE_H

#include <stdint.h>

enum frame_use {
	FRAME_FREE,
	FRAME_IN_USE,
	FRAME_NOT_TOLD, /* to this process, or by this kernel */
};

/* A descriptor, or -1 where nothing is told: for the superuser with CAP_SYS_ADMIN alone. */
int frame_use_open(void);

/*
 * A frame without any flag counts as free: those in a processor's list have none. Some of the
 * kernel's own memory has none either, and cannot be told from these.
 */
enum frame_use frame_use_of(int flags, uint64_t frame);

#endif
