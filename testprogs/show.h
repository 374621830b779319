/* show.h: what a system call returned, as text: a number, or an error with a minus sign. */
#pragma once

#include <errno.h>
#include <stdio.h>

static inline void show(const char *what, long result)
{
	printf("%s: %s%ld\n", what, result < 0 ? "-" : "", result < 0 ? (long)errno : result);
}
