/* Recordings: the pages of a program in the order in which it first touched them. */
#pragma once

#include "common/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Page numbers of 64-bit addresses are below this. */
#define RECORDING_PAGE_NUMBERS (UINT64_C(1) << 52)

/* All regions together: 1 TiB. A simulation has a byte for every page. */
#define RECORDING_REGION_PAGES_MAX (UINT64_C(1) << 28)

enum range_kind { RANGE_WRITTEN, RANGE_READ, RANGE_BSS, RANGE_FILE };

struct recording_range {
	uint64_t first, pages;
	enum range_kind kind;
};

/* Sorted, none overlaps another. */
struct recording_ranges {
	struct recording_range *list;
	size_t count;
};

enum touch_how { TOUCH_READ, TOUCH_WRITE, TOUCH_CALL };

struct recorded_touch {
	uint64_t page;
	enum touch_how how;
	bool written; /* sooner or later, not just at the first touch */
};

struct recording {
	char *program;
	struct recording_ranges runs;	 /* what a replay of the profile would bring in */
	struct recording_ranges regions; /* the program's mappings */
	bool regions_guessed;		 /* the recording has none: see recording_guess_regions */
	bool complete;			 /* false: lazy paging ended before the program did */
	struct recorded_touch *touches;
	size_t touch_count;
};

/*
 * Reads a recording that --record wrote; `name` is for messages. False with one sentence that names
 * the file and the line; then there is nothing to free.
 */
bool recording_read(FILE *file, const char *name, struct recording *recording, struct error *error);
void recording_free(struct recording *recording);

/* The range that a page is in, or NULL. */
const struct recording_range *recording_find(const struct recording_ranges *ranges, uint64_t page);

/* Adds a range after all others. False without memory. */
bool recording_add_range(struct recording_ranges *ranges, struct recording_range range);

/*
 * One region of .bss for each stretch of touched pages, for recordings that do not name any.
 * Touches with at most 512 untouched pages between them share a stretch. False without memory.
 */
bool recording_guess_regions(struct recording *recording);
