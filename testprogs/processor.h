/* processor.h: for guests whose threads take turns. */
#pragma once

#include <sched.h>

static inline void stay_on_this_processor(void)
{
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	sched_setaffinity(0, sizeof(here), &here);
}
