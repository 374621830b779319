/*
 * The entry trampoline: from the loader to the program's first instruction.
 *
 * Registers at a program's entry, as the kernel sets them (psABI 3.4.1, ELF_PLAT_INIT and
 * start_thread in arch/x86): rsp is the stack pointer, and every other general register is 0. (The
 * C library would register a non-zero rdx with atexit.) rflags is 0x202, MXCSR 0x1f80, the x87
 * control word 0x37f.
 */
#define NUMBER(name, value, meaning) .set name, value
#include "loader/resident/arch/numbers.def"

#include <sys/syscall.h>

	.section .rodata, "a", @progbits
	.balign 4
initial_mxcsr:
	.long ENTRY_MXCSR

	.section .text, "ax", @progbits

/*
 * Sets all general registers except rsp to 0, and the flags to those of a program's entry: the sum
 * 1 is neither zero nor negative, has an odd number of ones and no carry. popfq cannot be used: if
 * a tracer single-steps over popfq, the kernel assumes that the program itself wants to be traced,
 * and leaves the trap flag set (enable_single_step in arch/x86/kernel/step.c).
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
	.globl entry_depart
	.type entry_depart, @function
entry_depart:
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
 * The departure stub, copied into the unused end of the program's last text page.
 * In: rdi, rsi the start and length of the loader; rsp the program's.
 * Out: the program's entry state. Only the stub itself remains of the loader.
 */
	.globl entry_departure_stub
	.globl entry_departure_stub_end
entry_departure_stub:
	mov	$SYS_munmap, %eax
	syscall
	clear_registers
	.byte	0xe9, 0, 0, 0, 0		/* jmp entry; the displacement is filled in */
entry_departure_stub_end:

/*
 * The interpreter jumps here, not to the program, if it was given words that the program must not
 * see (struct launch_word). The code is copied to memory of its own, and the table of words follows
 * it.
 * In: rsp, rdx and rbp as the program wants them. Out: they are the same. Clobbers rax, rcx, rsi.
 */
	.globl entry_restore_words
	.globl entry_restore_words_end
	.balign 8
entry_restore_words:
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
entry_restore_words_end:

/*
 * long entry_in_child(uint64_t flags, void (*function)(void *argument), void *argument)
 * In: rdi flags of clone, with CLONE_VM and CLONE_VFORK and without any that takes an address;
 * rsi, rdx.
 * Out: rax the child's ID, or -errno. The child calls the function, which exits, on the part of
 * the stack below the caller's: the caller continues when the child has exited.
 */
	.globl entry_in_child
	.type entry_in_child, @function
entry_in_child:
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
