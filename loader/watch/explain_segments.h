/* What program headers are for. */
#ifndef LOADER_WATCH_EXPLAIN_SEGMENTS_H
#define LOADER_WATCH_EXPLAIN_SEGMENTS_H

#include <stdint.h>

struct segment_type {
	uint32_t type;
	char name[16], use[48]; /* no pointers: those would be relocated at every start */
};

/* The name of a type of program headers, and what the loader makes of it. */
const struct segment_type *segment_type(uint32_t type);

#endif
