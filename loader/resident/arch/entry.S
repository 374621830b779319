/*
 * The entry trampoline: from the loader to the program's first instruction.
 *
 * Registers at a program's entry, as the kernel sets them (psABI 3.4.1, ELF_PLAT_INIT and
 * start_thread in arch/x86): rsp the stack pointer, every other general register 0 - a non-zero
 * rdx would be registered with atexit - rflags 0x202, MXCSR 0x1f80, x87 control word 0x37f.
 */
#include "loader/resident/arch/offsets.h"

#include <sys/syscall.h>

	.section .rodata, "a", @progbits
	.balign 4
initial_mxcsr:
	.long ENTRY_MXCSR

	.section .text, "ax", @progbits

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
	pxor	%xmm0, %xmm0
	pxor	%xmm1, %xmm1
	pxor	%xmm2, %xmm2
	pxor	%xmm3, %xmm3
	pxor	%xmm4, %xmm4
	pxor	%xmm5, %xmm5
	pxor	%xmm6, %xmm6
	pxor	%xmm7, %xmm7
	pxor	%xmm8, %xmm8
	pxor	%xmm9, %xmm9
	pxor	%xmm10, %xmm10
	pxor	%xmm11, %xmm11
	pxor	%xmm12, %xmm12
	pxor	%xmm13, %xmm13
	pxor	%xmm14, %xmm14
	pxor	%xmm15, %xmm15
	test	%rax, %rax
	jnz	leave_by_stub
	push	$ENTRY_RFLAGS
	popfq
	mov	launch_stack_pointer(%rip), %rsp
	mov	$0, %eax			/* mov, not xor: the flags are final */
	mov	$0, %ebx
	mov	$0, %ecx
	mov	$0, %edx
	mov	$0, %esi
	mov	$0, %edi
	mov	$0, %ebp
	mov	$0, %r8d
	mov	$0, %r9d
	mov	$0, %r10d
	mov	$0, %r11d
	mov	$0, %r12d
	mov	$0, %r13d
	mov	$0, %r14d
	mov	$0, %r15d
	jmp	*launch_entry(%rip)
leave_by_stub:
	mov	launch_loader_start(%rip), %rdi
	mov	launch_loader_length(%rip), %rsi
	mov	launch_stack_pointer(%rip), %rsp
	jmp	*%rax

/*
 * The departure stub, copied into the unused end of the program's last text page.
 * In: rdi, rsi the start and length of the loader; rsp the program's.
 * Out: the program's entry state. Leaves no trace but itself: the word below the stack pointer
 * that it needs for the flags is cleared again.
 */
	.globl entry_departure_stub
	.globl entry_departure_stub_end
entry_departure_stub:
	mov	$SYS_munmap, %eax
	syscall
	xor	%eax, %eax
	xor	%ebx, %ebx
	xor	%ecx, %ecx
	xor	%edx, %edx
	xor	%esi, %esi
	xor	%edi, %edi
	xor	%ebp, %ebp
	xor	%r8d, %r8d
	xor	%r9d, %r9d
	xor	%r10d, %r10d
	xor	%r11d, %r11d
	xor	%r12d, %r12d
	xor	%r13d, %r13d
	xor	%r14d, %r14d
	xor	%r15d, %r15d
	push	$ENTRY_RFLAGS
	popfq
	mov	%rax, -8(%rsp)
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
 * long entry_set_map_in_namespace(const struct kernel_mm_map *map, uint64_t start, uint64_t length)
 * In: rdi; rsi, rdx what is mapped of the loader's file. Out: rax a child's process ID, or -errno.
 * The child shares our memory and is in a new user namespace, where it may do what
 * prctl(PR_SET_MM_MAP) asks for. Only who may is told that the file is still mapped: then the child
 * unmaps it and asks again. It exits with 0 if that worked, or the number of the error, and
 * FILE_UNMAPPED added to it. It uses no stack; we go on when it has exited (CLONE_VFORK), and have
 * to wait for it.
 */
	.globl entry_set_map_in_namespace
	.type entry_set_map_in_namespace, @function
entry_set_map_in_namespace:
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rdi, %r12
	mov	%rsi, %r13
	mov	%rdx, %r14
	xor	%r15d, %r15d
	mov	$SYS_clone, %eax
	mov	$NAMESPACE_CHILD, %edi
	xor	%esi, %esi
	xor	%edx, %edx
	xor	%r10d, %r10d
	xor	%r8d, %r8d
	syscall
	test	%rax, %rax
	jz	1f
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	ret
1:	mov	$SYS_prctl, %eax
	mov	$SET_MM, %edi
	mov	$SET_MM_MAP, %esi
	mov	%r12, %rdx
	mov	$MM_MAP_BYTES, %r10d
	xor	%r8d, %r8d
	syscall
	mov	%eax, %edi
	neg	%edi
	jz	2f
	add	%r15d, %edi
	cmp	$FILE_IS_MAPPED, %edi
	jne	2f
	mov	$FILE_UNMAPPED, %r15d
	mov	$SYS_munmap, %eax
	mov	%r13, %rdi
	mov	%r14, %rsi
	syscall
	jmp	1b
2:	mov	$SYS_exit, %eax
	syscall

	.section .note.GNU-stack, "", @progbits
