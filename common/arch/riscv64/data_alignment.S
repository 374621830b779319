/*
 * Linked first: the loader's initialized data starts on a page boundary. So it is one page and not
 * parts of two, each of which would cost a page fault at every start.
 */
	.section .data.rel.ro.local, "aw", @progbits
	.balign 4096

	.section .note.GNU-stack, "", @progbits
