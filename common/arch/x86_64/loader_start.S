/*
 * The kernel enters a loader here, before the C library's start-up code. That code reads the page
 * of initialized data first and writes to it later. Memory of a file that is read first and written
 * later faults twice.
 */
	.text
	.globl loader_start
	.type loader_start, @function
loader_start:
	orb	$0, _DYNAMIC(%rip)
	jmp	_start
	.size loader_start, . - loader_start

	.section .note.GNU-stack, "", @progbits
