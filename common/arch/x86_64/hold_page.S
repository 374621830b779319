/* See common/arch/hold_page.h. */
#include "common/arch/assembly.h"

	.text

/*
 * void hold_page_enter(const void *page, const struct kernel_filter_program *filter, int *state)
 * In: rdi the page with a copy of hold_page_code, rsi, rdx. Out: does not return.
 */
FUNCTION(hold_page_enter)
	mov	%rdi, %r13
	mov	%rdx, %r12
	mov	%rsi, %rdx
	jmp	*%r13

/*
 * From the store to the state on it uses only this page: no stack, no data.
 * In: rdx the filter; r12 the address of the state.
 */
FUNCTION(hold_page_code)
	mov	$SYS_seccomp, %eax
	mov	$1, %edi			/* SECCOMP_SET_MODE_FILTER */
	xor	%esi, %esi
	syscall
	mov	%eax, (%r12)
	test	%eax, %eax
	jnz	2f
1:	xor	%edi, %edi		/* ppoll(NULL, 0, NULL, NULL): no descriptor, forever */
	xor	%esi, %esi
	xor	%edx, %edx
	xor	%r10d, %r10d
	mov	$SYS_ppoll, %eax
	syscall
	jmp	1b				/* after SIGCONT and the freezer */
2:	mov	$SYS_exit_group, %eax
	mov	$1, %edi
	syscall
	ud2
PLACE(hold_page_code_end)

	.section .note.GNU-stack, "", @progbits
