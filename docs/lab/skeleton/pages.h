/*
 * pages: brings pages of the program into memory. The three pagers differ only in when they call
 * it.
 */
#ifndef PAGES_H
#define PAGES_H

#include "program.h"

/*
 * The pages of a segment in [from, to), both at page boundaries, with their contents and the
 * segment's protection, are in memory afterwards. 0, or -1 if the kernel said no. Is called in a
 * signal handler, too: no printf, no malloc.
 */
int bring_in(const struct program *program, const struct segment *segment, uintptr_t from,
	     uintptr_t to);

#endif
