/* check.h: one line per fact that holds or does not, so that two runs can be compared as text. */
#pragma once

#include <stdio.h>

static inline void check(const char *what, int holds)
{
	printf("%s: %s\n", what, holds ? "yes" : "no");
}
