/* --stats, when the program is over and its memory is still there. */
#ifndef LOADER_STATISTICS_H
#define LOADER_STATISTICS_H

#include "loader/guest.h"

#include <sys/resource.h>

/* Text on standard error, or JSON into the file that --stats named; `status` as wait(2) has it. */
void statistics_report(const struct guest *guest, const struct rusage *usage, int status);

#endif
