/*
 * The kernel enters a loader here, before the C library's start-up code. That code reads the page
 * of initialized data first and writes to it later. Memory of a file that is read first and written
 * later faults twice.
 * In: a0 0; sp. Out: they are the same. Clobbers t0.
 */
#include "common/arch/assembly.h"

	.text
FUNCTION(loader_start)
	lla	t0, _DYNAMIC
	amoor.w	zero, zero, (t0)
	tail	_start
	.size loader_start, . - loader_start

	.section .note.GNU-stack, "", @progbits
