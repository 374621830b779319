/* say: ends the pager with one line on standard error. */
#include "say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

noreturn void stop(int status, const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
	exit(status);
}

noreturn void missing(int step, const char *what, const char *chapter)
{
	fprintf(stderr, "%s: step %d is missing: %s (see docs/course/%s)\n",
		program_invocation_short_name, step, what, chapter);
	exit(STATUS_FAILED);
}
