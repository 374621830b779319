/*
 * Linked first: the loader's initialized data starts on a page boundary, with the largest pages,
 * too. So it is on as few pages as possible.
 */
	.section .data.rel.ro.local, "aw", @progbits
	.balign 65536

/*
 * Read-only data ends on such a boundary as well. With a gap up to the other data, the kernel would
 * have room for the vDSO there, inside the range that the launch unmaps.
 */
	.section .image_gap, "a", @progbits
	.balign 65536
	.space 65536

	.section .note.GNU-stack, "", @progbits
