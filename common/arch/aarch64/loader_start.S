/*
 * The kernel enters a loader here. A write to the page of initialized data would save nothing: no
 * instruction of every arm64 processor reads and writes memory in one step.
 */
#include "common/arch/assembly.h"

	.text
FUNCTION(loader_start)
	b	_start
	.size loader_start, . - loader_start

	.section .note.GNU-stack, "", @progbits
