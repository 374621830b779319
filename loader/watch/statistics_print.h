/* --stats, written: as text on standard error, or as JSON into a file. */
#ifndef LOADER_STATISTICS_PRINT_H
#define LOADER_STATISTICS_PRINT_H

#include "loader/guest.h"

#include <stdio.h>

/* Numbers that are counted when the program has ended; the pager has counted the others. */
struct statistics {
	int status;		 /* as wait(2) has it */
	long peak_rss_kb;	 /* KiB, of the whole process, this loader included */
	uint64_t program_pages;	 /* of all PT_LOAD segments */
	uint64_t resident_pages; /* of program_pages, those in memory at the end */
	/*
	 * Of the pages that the policy brought in ahead, those in memory at the end; a page that
	 * the policy had filled counts if it is not all zero, for nothing else tells whether the
	 * program looked at the page.
	 */
	uint64_t ahead_used;
	uint64_t unplaced_pages; /* of those to be placed, in memory on the kernel's frames */
};

void statistics_print_text(const struct guest *guest, const struct statistics *statistics);
void statistics_print_json(FILE *file, const struct guest *guest,
			   const struct statistics *statistics);

#endif
