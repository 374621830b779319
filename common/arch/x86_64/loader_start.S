/*
 * Where the kernel enters a loader: before the C library's start-up code, which reads
 * the page of initialised data first and writes to it then. Memory of a file that is read first,
 * and written then, faults twice.
 */
	.text
	.globl loader_start
	.type loader_start, @function
loader_start:
	orb	$0, _DYNAMIC(%rip)
	jmp	_start
	.size loader_start, . - loader_start

	.section .note.GNU-stack, "", @progbits
