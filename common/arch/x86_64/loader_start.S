/*
 * The kernel enters a loader here, before the C library's start-up code. That code reads the page
 * of initialized data first and writes to it later. Memory of a file that is read first and written
 * later faults twice.
 */
#include "common/arch/assembly.h"

	.text
FUNCTION(loader_start)
	orb	$0, _DYNAMIC(%rip)
	jmp	_start
	.size loader_start, . - loader_start

	.section .note.GNU-stack, "", @progbits
