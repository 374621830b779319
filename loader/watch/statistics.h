/* What --stats shows, gathered when the program is over and its memory is still there. */
#ifndef LOADER_STATISTICS_H
#define LOADER_STATISTICS_H

#include "loader/guest.h"

#include <sys/resource.h>

struct statistics {
	uint64_t faults;	 /* SIGSEGVs that brought a page in */
	uint64_t handler_ns;	 /* nanoseconds spent in them */
	uint64_t program_pages;	 /* of all PT_LOAD segments */
	uint64_t resident_pages; /* of them in memory at the end */
	uint64_t ahead_pages;	 /* revealed or filled by prediction, not by a touch */
	/* Of those in memory at the end; one that the policy had filled counts if it is not all
	   zero, for nothing else tells whether the program looked at it. */
	uint64_t ahead_used;
	uint64_t placed_pages;	 /* moved to a frame as --placement wants it */
	uint64_t unplaced_pages; /* of those to be placed, in memory on the kernel's frames */
	uint64_t calls;		 /* system calls that were intercepted */
	uint64_t call_pages;	 /* pages revealed for them */
	const char *retired;	 /* why lazy paging ended before the program; NULL: it did not */
	long retired_call;	 /* the number of the system call that ended it, or -1 */
	uint64_t retired_after;	 /* system calls */
	long peak_rss_kb;	 /* KiB, of the whole process, this loader included */
	int status;		 /* as wait(2) has it */
};

void statistics_gather(const struct guest *guest, const struct rusage *usage, int status,
		       struct statistics *statistics);

/* Text on standard error, or JSON into the file that --stats named. */
void statistics_report(const struct guest *guest, const struct statistics *statistics);

#endif
