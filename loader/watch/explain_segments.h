/* What program headers are for. */
#ifndef LOADER_WATCH_EXPLAIN_SEGMENTS_H
#define LOADER_WATCH_EXPLAIN_SEGMENTS_H

#include <stdint.h>

/* The program headers of a type: its name, and what the loader makes of it. */
const char *segment_type_name(uint32_t type);
const char *segment_type_use(uint32_t type);

#endif
