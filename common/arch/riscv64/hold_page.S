/* See common/arch/hold_page.h. */
#include "common/arch/assembly.h"

	.text

/*
 * void hold_page_enter(const void *page, const struct kernel_filter_program *filter, int *state)
 * In: a0 the page with a copy of hold_page_code, a1, a2. Out: does not return.
 */
FUNCTION(hold_page_enter)
	mv	t0, a0
	mv	s0, a2
	mv	a2, a1
	jr	t0

/*
 * From the store to the state on it uses only this page: no stack, no data.
 * In: a2 the filter; s0 the address of the state.
 */
FUNCTION(hold_page_code)
	li	a7, SYS_seccomp
	li	a0, 1				/* SECCOMP_SET_MODE_FILTER */
	li	a1, 0
	ecall
	sw	a0, (s0)
	bnez	a0, 2f
1:	li	a0, 0				/* ppoll(NULL, 0, NULL, NULL): no descriptor, forever */
	li	a1, 0
	li	a2, 0
	li	a3, 0
	li	a7, SYS_ppoll
	ecall
	j	1b				/* after SIGCONT and the freezer */
2:	li	a7, SYS_exit_group
	li	a0, 1
	ecall
	unimp
PLACE(hold_page_code_end)

	.section .note.GNU-stack, "", @progbits
