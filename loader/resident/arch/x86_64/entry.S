/*
 * The entry trampoline: from the loader to the program's first instruction.
 *
 * Registers at a program's entry, as the kernel sets them (psABI 3.4.1, ELF_PLAT_INIT and
 * start_thread in arch/x86): rsp is the stack pointer, and every other general register is 0. (The
 * C library would register a non-zero rdx with atexit.) rflags is 0x202, MXCSR 0x1f80, the x87
 * control word 0x37f.
 */
#include "loader/resident/arch/assembly.h"

	.section .rodata, "a", @progbits
	.balign 4
initial_mxcsr:
	.long ENTRY_MXCSR

	.section .text, "ax", @progbits

/*
 * Sets all general registers except rsp to 0, and the flags to those of a program's entry: the sum
 * 1 is neither zero nor negative, has an odd number of ones and no carry. popfq cannot be used. If
 * a tracer single-steps over it, the kernel assumes that the program has set the trap flag itself,
 * and leaves it set (enable_single_step in arch/x86/kernel/step.c).
 */
	.macro clear_registers
	.irp	name, eax, ebx, ecx, edx, esi, edi, ebp, r8d, r9d, r10d, r11d, r12d, r13d, r14d, r15d
	xor	%\name, %\name
	.endr
	add	$1, %al
	mov	$0, %eax
	.endm

/*
 * void entry_depart(void)
 * In: nothing. Out: does not return. Clobbers everything.
 * Uses launch_stack, because the program's stack replaces the caller's.
 */
FUNCTION(entry_depart)
	lea	launch_stack+STACK_BYTES(%rip), %rsp
	xor	%ebp, %ebp
	call	*launch_function(%rip)	/* rax: the departure stub, or 0 */
	fninit
	ldmxcsr	initial_mxcsr(%rip)
	.irp	number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	pxor	%xmm\number, %xmm\number
	.endr
	test	%rax, %rax
	jnz	leave_by_stub
	clear_registers
	mov	resident_launch+LAUNCH_STACK_POINTER(%rip), %rsp
	jmp	*resident_launch+LAUNCH_ENTRY(%rip)
leave_by_stub:
	mov	resident_launch+LAUNCH_LOADER_START(%rip), %rdi
	mov	resident_launch+LAUNCH_LOADER_END(%rip), %rsi
	sub	%rdi, %rsi
	mov	resident_launch+LAUNCH_STACK_POINTER(%rip), %rsp
	jmp	*%rax

/*
 * The departure stub.
 * In: rdi, rsi the start and length of the loader; rsp the program's.
 * Out: the program's entry state. Only the stub itself remains of the loader.
 */
PLACE(entry_departure_stub)
	mov	$SYS_munmap, %eax
	syscall
	clear_registers
	.byte	0xe9, 0, 0, 0, 0		/* jmp entry; the displacement is filled in */
PLACE(entry_departure_stub_end)

/*
 * In: rsp, rdx and rbp as the program wants them. Out: they are the same. Clobbers rax, rcx, rsi.
 */
	.balign 8
PLACE(entry_restore_words)
	lea	2f(%rip), %rax
1:	mov	WORD_AT(%rax), %rcx
	mov	WORD_FOR_PROGRAM(%rax), %rsi
	jrcxz	3f
	mov	%rsi, (%rcx)
	add	$WORD_BYTES, %rax
	jmp	1b
3:	jmp	*%rsi			/* of the last row: the program's entry */
	.balign 8
2:
PLACE(entry_restore_words_end)

/*
 * long entry_in_child(uint64_t flags, void (*function)(void *argument), void *argument)
 * In: rdi, rsi, rdx. Out: in the caller, rax.
 */
FUNCTION(entry_in_child)
	mov	%rsi, %r9
	xor	%esi, %esi			/* the child has the stack pointer of the caller */
	mov	$SYS_clone, %eax
	syscall
	test	%rax, %rax
	jz	1f
	ret
1:	mov	%rdx, %rdi
	push	%rax				/* aligns the stack at the call */
	call	*%r9

	.section .note.GNU-stack, "", @progbits
