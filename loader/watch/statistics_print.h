/* Prints --stats: as text on standard error, or as JSON to a file. */
#pragma once

#include "loader/guest/guest.h"

#include <stdio.h>

/* Numbers that are counted when the program has ended; the pager has counted the others. */
struct statistics {
	int status;		 /* as from wait(2) */
	long peak_rss_kb;	 /* KiB, of the whole process including the loader */
	uint64_t program_pages;	 /* number of pages of all PT_LOAD segments */
	uint64_t resident_pages; /* number of program_pages in memory at the end */
	/*
	 * Pages that the policy brought in ahead and that are in memory at the end. A page that the
	 * policy had filled counts only if it is not all zero: no other sign shows whether the
	 * program touched it.
	 */
	uint64_t ahead_used;
	uint64_t unplaced_pages; /* pages that should be placed but are in memory on the kernel's
				    frames */
};

void statistics_print_text(const struct guest *guest, const struct statistics *statistics);
void statistics_print_json(FILE *file, const struct guest *guest,
			   const struct statistics *statistics);
