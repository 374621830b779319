/* The page of a process that holds a program's memory; see hold.c. */
#include <sys/syscall.h>

	.text

/*
 * void hold_page_enter(const void *page)
 * In: rdi the page with a copy of hold_page_code. Out: does not return.
 */
	.globl hold_page_enter
	.type hold_page_enter, @function
hold_page_enter:
	jmp	*%rdi

/*
 * Registers: r12 is the page, which is also the byte that is written. Nothing is stored.
 */
	.globl hold_page_code
	.type hold_page_code, @function
hold_page_code:
	mov	%rdi, %r12
	mov	$SYS_write, %eax
	mov	$1, %edi
	mov	%r12, %rsi
	mov	$1, %edx
	syscall
	mov	$SYS_close, %eax
	mov	$1, %edi
	syscall
	/* The address is never written to: nobody writes, so the end of the pipe is all that comes. */
	xor	%eax, %eax
	xor	%edi, %edi
	mov	%r12, %rsi
	mov	$1, %edx
	syscall
	mov	$SYS_exit_group, %eax
	xor	%edi, %edi
	syscall
	ud2
	.globl hold_page_code_end
hold_page_code_end:

	.section .note.GNU-stack, "", @progbits
