/*
 * Code where resident code and the program's registers meet: gadget.h says what it does.
 *
 * The gadget makes a system call of the program.
 * In: rbx the address of this thread's struct thread, which starts with the program's registers;
 * the others as the kernel wants them.
 * Out: every register as after a `syscall` at the program's own place. That instruction leaves the
 * address after it in rcx, and the flags in r11. No stack is used: the program's might have no
 * room.
 */
#include "loader/resident/arch/assembly.h"

	.section .text, "ax", @progbits
FUNCTION(gadget_start)
	syscall
	mov	%rax, THREAD_RESULT(%rbx)
PLACE(gadget_made)
	mov	REGISTER_RDI(%rbx), %rdi
	mov	REGISTER_RSI(%rbx), %rsi
	mov	REGISTER_RDX(%rbx), %rdx
	mov	REGISTER_R10(%rbx), %r10
	mov	REGISTER_R8(%rbx), %r8
	mov	REGISTER_R9(%rbx), %r9
	mov	REGISTER_RIP(%rbx), %rcx
	mov	REGISTER_RFLAGS(%rbx), %r11
	mov	REGISTER_RBX(%rbx), %rbx
	jmp	*%rcx
PLACE(gadget_end)

/*
 * long gadget_copy(void *to, const void *from, uint64_t length)
 * In: rdi, rsi, rdx. Out: rax. Meanwhile r8 has the rights to protection keys, r9 the result, and
 * r10 whether there are keys.
 */
FUNCTION(gadget_copy)
	mov	%rdx, %r9
	movzbl	gadget_has_keys(%rip), %r10d
	test	%r10d, %r10d
	jz	1f
	xor	%ecx, %ecx
	rdpkru
	mov	%eax, %r8d
	xor	%eax, %eax		/* all rights; edx is 0 */
	wrpkru
1:	mov	%r9, %rcx
	xor	%r9d, %r9d
PLACE(gadget_copy_access)
	rep movsb
PLACE(gadget_copy_done)
2:	test	%r10d, %r10d
	jz	3f
	mov	%r8d, %eax
	xor	%ecx, %ecx
	xor	%edx, %edx
	wrpkru
3:	mov	%r9, %rax
	ret
PLACE(gadget_copy_fault)
	mov	$COPY_FAILED, %r9
	jmp	2b

/*
 * void gadget_on_signal(int number, void *info, void *context)
 * void gadget_on_managed(int number, void *info, void *context)
 * Signal handlers, in: rdi, rsi, rdx, as the kernel calls them.
 *
 * The program may have set EFLAGS.AC, which the kernel does not clear: then an unaligned access of
 * the handler would raise SIGBUS. popf is executed only in that case. If a tracer has
 * single-stepped a popf, EFLAGS.TF stays set and kills the program when the tracer detaches
 * (enable_single_step in the kernel).
 */
	.macro clear_alignment_check
	pushf
	testl	$ALIGNMENT_CHECK, (%rsp)
	jz	1f
	andl	$~ALIGNMENT_CHECK, (%rsp)
	popf
	push	%rax
1:	pop	%rax
	.endm

FUNCTION(gadget_on_signal)
	clear_alignment_check
	jmp	handler_of_signal

FUNCTION(gadget_on_managed)
	clear_alignment_check
	jmp	handler_of_managed

/*
 * long gadget_exec(const struct call *call, const uint64_t *mask)
 * In: rdi, rsi. Out: rax.
 */
FUNCTION(gadget_exec)
	push	%rbx
	mov	%rdi, %rbx
	mov	$SYS_rt_sigprocmask, %eax
	mov	$SET_MASK, %edi
	xor	%edx, %edx
	mov	$MASK_BYTES, %r10d
	syscall
PLACE(gadget_exec_window)
	mov	CALL_NUMBER(%rbx), %rax
	mov	CALL_ARGUMENTS(%rbx), %rdi
	mov	CALL_ARGUMENTS+8(%rbx), %rsi
	mov	CALL_ARGUMENTS+16(%rbx), %rdx
	mov	CALL_ARGUMENTS+24(%rbx), %r10
	mov	CALL_ARGUMENTS+32(%rbx), %r8
	syscall
PLACE(gadget_exec_done)
	pop	%rbx
	ret
PLACE(gadget_exec_abort)
	mov	$EXEC_RESTART, %rax
	pop	%rbx
	ret

/*
 * long gadget_spawn(long number, uint64_t a, b, c, d, e)
 * In: rdi, rsi, rdx, rcx, r8, r9. Out: in the parent, rax.
 */
FUNCTION(gadget_spawn)
	mov	%rdi, %rax
	mov	%rsi, %rdi
	mov	%rdx, %rsi
	mov	%rcx, %rdx
	mov	%r8, %r10
	mov	%r9, %r8
	syscall
	test	%rax, %rax
	jz	1f
	ret
1:	mov	%rsp, %rdi
	xor	%ebp, %ebp
	and	$-16, %rsp
	call	processes_begin_thread

/*
 * void gadget_return(struct thread *thread, struct kernel_context *context)
 * In: rdi, rsi. The kernel finds the handler's context at the stack pointer. Memory below it is not
 * needed any more.
 */
FUNCTION(gadget_return)
	mov	%rsi, %rsp
PLACE(gadget_return_look)
	cmpb	$0, THREAD_NEWS(%rdi)
	jne	gadget_return_done
	mov	$SYS_rt_sigreturn, %eax
	syscall
PLACE(gadget_return_done)
	mov	%rsp, %rsi
	call	handlers_end

/*
 * void gadget_restore_signal(void): the restorer of the loader's handlers.
 * The nop: dispatch checks the address after `syscall`, which must be inside resident code.
 */
FUNCTION(gadget_restore_signal)
	mov	$SYS_rt_sigreturn, %eax
	syscall
	nop

	.section .note.GNU-stack, "", @progbits
