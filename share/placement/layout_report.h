/* A layout as JSON and as a histogram of colors. */
#pragma once

#include "common/placement/layout.h"

#define LAYOUT_COLORS_MAX 65536

struct layout_counts {
	uint64_t pages[LAYOUT_STATES];
	uint64_t shared, huge;
};

struct layout_report {
	FILE *file;	 /* where JSON goes; NULL: nothing is written */
	uint64_t colors; /* bins; 0: no histogram */
	uint64_t *histogram;
	struct layout_counts mapping, all;
	uint64_t mappings, frames; /* so far; frames: of this mapping */
};

bool layout_report_begin(struct layout_report *report, int process, struct error *error);
void layout_report_mapping(const struct layout_mapping *mapping, void *report);
void layout_report_page(const struct layout_page *page, void *report);
void layout_report_end(struct layout_report *report);

/* The histogram, a line a color. */
void layout_report_colors(const struct layout_report *report, FILE *file);
