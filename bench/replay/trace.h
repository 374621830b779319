/* Recorded traces: the pages of a program in the order in which it first touched them. */
#ifndef BENCH_REPLAY_TRACE_H
#define BENCH_REPLAY_TRACE_H

#include "common/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Page numbers of 64-bit addresses are below this. */
#define TRACE_PAGE_NUMBERS (UINT64_C(1) << 52)

/* All regions together: 1 TiB. A simulation has a byte for every page. */
#define TRACE_REGION_PAGES_MAX (UINT64_C(1) << 28)

enum range_kind { RANGE_WRITTEN, RANGE_READ, RANGE_BSS, RANGE_FILE };

struct trace_range {
	uint64_t first, pages;
	enum range_kind kind;
};

/* Sorted, none overlaps another. */
struct trace_ranges {
	struct trace_range *list;
	size_t count;
};

enum touch_how { TOUCH_READ, TOUCH_WRITE, TOUCH_CALL };

struct trace_touch {
	uint64_t page;
	enum touch_how how;
	bool written; /* sooner or later, not just at the first touch */
};

struct trace {
	char *program;
	struct trace_ranges runs;    /* what a replay of the profile would bring in */
	struct trace_ranges regions; /* the program's mappings */
	bool regions_guessed;	     /* the trace has none: see trace_guess_regions */
	bool complete;		     /* false: lazy paging ended before the program did */
	struct trace_touch *touches;
	size_t touch_count;
};

/*
 * Reads a trace that --record wrote; `name` is for messages. False with one sentence that names
 * the file and the line; then there is nothing to free.
 */
bool trace_read(FILE *file, const char *name, struct trace *trace, struct error *error);
void trace_free(struct trace *trace);

/* The range that a page is in, or NULL. */
const struct trace_range *trace_find(const struct trace_ranges *ranges, uint64_t page);

/* Adds a range behind all others. False without memory. */
bool trace_add_range(struct trace_ranges *ranges, struct trace_range range);

/*
 * One region of .bss for each stretch of touched pages, for traces that do not name any. Touches
 * with at most 512 untouched pages between them share a stretch. False without memory.
 */
bool trace_guess_regions(struct trace *trace);

#endif
