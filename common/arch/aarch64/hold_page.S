/* See common/arch/hold_page.h. */
#include "common/arch/assembly.h"

	.text

/*
 * void hold_page_enter(const void *page, const struct kernel_filter_program *filter, int *state)
 * In: x0 the page with a copy of hold_page_code, x1, x2. Out: does not return.
 */
FUNCTION(hold_page_enter)
	mov	x9, x0
	mov	x19, x2
	mov	x2, x1
	br	x9

/*
 * From the store to the state on it uses only this page: no stack, no data.
 * In: x2 the filter; x19 the address of the state.
 */
FUNCTION(hold_page_code)
	mov	x8, #SYS_seccomp
	mov	x0, #1				/* SECCOMP_SET_MODE_FILTER */
	mov	x1, #0
	svc	#0
	str	w0, [x19]
	cbnz	w0, 2f
1:	mov	x0, #0			/* ppoll(NULL, 0, NULL, NULL): no descriptor, forever */
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x8, #SYS_ppoll
	svc	#0
	b	1b				/* after SIGCONT and the freezer */
2:	mov	x8, #SYS_exit_group
	mov	x0, #1
	svc	#0
	brk	#0
PLACE(hold_page_code_end)

	.section .note.GNU-stack, "", @progbits
