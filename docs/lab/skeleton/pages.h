/*
 * pages: brings pages of the program into memory. The three pagers differ only in when they call
 * bring_in().
 */
#pragma once

#include "program.h"

/*
 * Brings the pages of a segment in [from, to) into memory, with their contents and the segment's
 * protection. Both addresses are at page boundaries. Returns 0, or -1 if the kernel refuses. It is
 * called in a signal handler, too: no printf, no malloc.
 */
int bring_in(const struct program *program, const struct segment *segment, uintptr_t from,
	     uintptr_t to);
