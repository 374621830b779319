/*
 * The entry trampoline: from the loader to the program's first instruction.
 *
 * Registers at a program's entry, as the kernel sets them (start_thread and flush_thread in
 * arch/riscv/kernel/process.c): sp is the stack pointer, a0 is 0, the floating-point registers and
 * fcsr are 0. Every other register has the value that it had in execve's caller, so a program reads
 * none. Here they are 0, except t0, with which the jump is made.
 */
#include "loader/resident/arch/assembly.h"

	.section .text, "ax", @progbits

/* Sets all general registers except sp and t0 to 0. */
	.macro clear_registers
	.irp	name, ra, gp, tp, t1, t2, s0, s1, a0, a1, a2, a3, a4, a5, a6, a7, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, t3, t4, t5, t6
	li	\name, 0
	.endr
	.endm

/*
 * void entry_depart(void)
 * In: nothing. Out: does not return. Clobbers everything.
 * Uses launch_stack, because the program's stack replaces the caller's.
 */
FUNCTION(entry_depart)
	lla	sp, launch_stack+STACK_BYTES
	li	s0, 0
	lla	t0, launch_function
	ld	t0, (t0)
	jalr	t0				/* a0: the departure stub, or 0 */
	fscsr	zero
	.irp	number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	fmv.d.x	f\number, zero
	.endr
	lla	t1, resident_launch
	ld	sp, LAUNCH_STACK_POINTER(t1)
	ld	t0, LAUNCH_ENTRY(t1)
	bnez	a0, leave_by_stub
	clear_registers
	jr	t0
leave_by_stub:
	mv	t0, a0
	ld	a0, LAUNCH_LOADER_START(t1)
	ld	a1, LAUNCH_LOADER_END(t1)
	sub	a1, a1, a0
	jr	t0

/*
 * The departure stub.
 * In: a0, a1 the start and length of the loader; sp the program's.
 * Out: the program's entry state. Only the stub itself remains of the loader.
 */
PLACE(entry_departure_stub)
	li	a7, SYS_munmap
	ecall
	clear_registers
	.word	0x00000297			/* auipc t0, 0; the distance is filled in */
	.word	0x00028067			/* jr 0(t0) */
PLACE(entry_departure_stub_end)

/*
 * In: sp, a0 and s0 as the program wants them. Out: they are the same. Clobbers t0, t1, t2.
 */
	.balign 8
PLACE(entry_restore_words)
	lla	t0, 2f
1:	ld	t1, WORD_AT(t0)
	ld	t2, WORD_FOR_PROGRAM(t0)
	beqz	t1, 3f
	sd	t2, (t1)
	addi	t0, t0, WORD_BYTES
	j	1b
3:	jr	t2			/* of the last row: the program's entry */
	.balign 8
2:
PLACE(entry_restore_words_end)

/*
 * long entry_in_child(uint64_t flags, void (*function)(void *argument), void *argument)
 * In: a0, a1, a2. Out: in the caller, a0.
 */
FUNCTION(entry_in_child)
	mv	t0, a1
	mv	t1, a2
	li	a1, 0				/* the child has the stack pointer of the caller */
	li	a2, 0
	li	a3, 0
	li	a4, 0
	li	a7, SYS_clone
	ecall
	beqz	a0, 1f
	ret
1:	mv	a0, t1
	jalr	t0

	.section .note.GNU-stack, "", @progbits
