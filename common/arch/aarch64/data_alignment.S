/*
 * Linked first: the loader's initialized data starts on a page boundary, with the largest pages,
 * too. So it is on as few pages as possible.
 */
	.section .data.rel.ro.local, "aw", @progbits
	.balign 65536

	.section .note.GNU-stack, "", @progbits
