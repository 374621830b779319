/*
 * The entry trampoline: from the loader to the program's first instruction.
 *
 * Registers at a program's entry, as the kernel sets them (psABI 3.4.1, ELF_PLAT_INIT and
 * start_thread in arch/x86): rsp the stack pointer, every other general register 0 - a non-zero
 * rdx would be registered with atexit - rflags 0x202, MXCSR 0x1f80, x87 control word 0x37f.
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
 * All general registers but rsp become 0, and the flags those of a program's entry: the sum 1 is
 * neither zero nor negative, has an odd number of ones and no carry. By popfq would be a trap for
 * who traces the program in single steps: the kernel takes a step over popfq for the program's wish
 * to be traced, and leaves it the trap flag (enable_single_step in arch/x86/kernel/step.c).
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
 * Out: the program's entry state. Leaves no trace but itself.
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
 * What the interpreter jumps to in place of the program when it had words to read that the program is
 * not to see (struct launch_word): copied to memory of its own, where a table of such words follows.
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
3:	jmp	*%rsi			/* of the last row, the program's entry */
	.balign 8
2:
entry_restore_words_end:

/*
 * long entry_in_child(uint64_t flags, void (*function)(void *argument), void *argument)
 * In: rdi flags of clone, with CLONE_VM and CLONE_VFORK and without any that takes an address; rsi, rdx.
 * Out: rax a child's ID, or -errno. The child calls the function, which exits, on the part of
 * the stack below the caller's: the caller goes on when the child has exited.
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
	push	%rax				/* so that the stack is aligned at the call */
	call	*%r9

	.section .note.GNU-stack, "", @progbits
