/*
 * The entry trampoline: from the loader to the program's first instruction.
 *
 * Registers at a program's entry, as the kernel sets them (start_thread in
 * arch/arm64/include/asm/processor.h, flush_thread): sp is the stack pointer, and every other
 * register is 0, also tpidr_el0, the flags, fpcr, fpsr and the vector registers.
 */
#include "loader/resident/arch/assembly.h"

/* FPSIMD_MAGIC (asm/sigcontext.h), in halves */
#define FLOATING_MAGIC_LOW  0x8001
#define FLOATING_MAGIC_HIGH 0x4650

/* PSTATE.SSBS: speculation that a program may be denied. The kernel sets it when a program starts. */
#define SPECULATION	    s3_3_c4_c2_6
#define SPECULATION_BIT     0x1000

	.section .text, "ax", @progbits

	.macro address register, symbol
	adrp	\register, \symbol
	add	\register, \register, :lo12:\symbol
	.endm

/*
 * void entry_depart(void)
 * In: nothing. Out: does not return. Clobbers everything.
 * Uses launch_stack, because the program's stack replaces the caller's.
 *
 * A jump to any address needs a register, and all have to be 0. So the program is entered by
 * rt_sigreturn, which sets every register from a frame. The frame has the alternate stack and the
 * signal mask that are in force. A departure stub is near the entry, and ends with a branch.
 */
FUNCTION(entry_depart)
	address	x9, launch_stack
	add	sp, x9, #STACK_BYTES
	mov	x29, #0
	adrp	x9, launch_function
	ldr	x9, [x9, :lo12:launch_function]
	blr	x9				/* x0: the departure stub, or 0 */
	address	x9, resident_launch
	cbnz	x0, leave_by_stub

	sub	sp, sp, #FRAME_BYTES
	mov	x10, sp
	mov	x11, #FRAME_BYTES
1:	stp	xzr, xzr, [x10], #16
	subs	x11, x11, #16
	b.ne	1b
	ldr	x10, [x9, #LAUNCH_STACK_POINTER]
	str	x10, [sp, #FRAME_SP]
	ldr	x10, [x9, #LAUNCH_ENTRY]
	str	x10, [sp, #FRAME_PC]
	mov	w10, #FLOATING_MAGIC_LOW
	movk	w10, #FLOATING_MAGIC_HIGH, lsl #16
	str	w10, [sp, #FRAME_FLOATING]
	mov	w10, #FLOATING_BYTES
	str	w10, [sp, #FRAME_FLOATING + 4]
	mrs	x10, id_aa64pfr1_el1
	ubfx	x10, x10, #4, #4
	cmp	x10, #2				/* SPECULATION can be read */
	b.lo	2f
	mrs	x10, SPECULATION
	and	x10, x10, #SPECULATION_BIT
	str	x10, [sp, #FRAME_PSTATE]
2:	mov	x0, #0
	add	x1, sp, #FRAME_STACK
	mov	x8, #SYS_sigaltstack
	svc	#0
	mov	x0, #0
	mov	x1, #0
	add	x2, sp, #FRAME_MASK
	mov	x3, #MASK_BYTES
	mov	x8, #SYS_rt_sigprocmask
	svc	#0
	mov	x8, #SYS_rt_sigreturn
	svc	#0

leave_by_stub:
	mov	x16, x0
	msr	fpcr, xzr
	msr	fpsr, xzr
	.irp	number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	movi	v\number\().2d, #0
	.endr
	ldp	x0, x1, [x9, #LAUNCH_LOADER_START]
	sub	x1, x1, x0
	ldr	x10, [x9, #LAUNCH_STACK_POINTER]
	mov	sp, x10
	br	x16

/*
 * The departure stub.
 * In: x0, x1 the start and length of the loader; sp the program's.
 * Out: the program's entry state. Only the stub itself remains of the loader.
 */
PLACE(entry_departure_stub)
	hint	#34				/* bti c: the stub may be on a page of text with BTI */
	mov	x8, #SYS_munmap
	svc	#0
	.irp	number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
	mov	x\number, #0
	.endr
	msr	nzcv, xzr
	b	.				/* to the entry; the distance is filled in */
PLACE(entry_departure_stub_end)

/*
 * In: sp, x0 and x29 as the program wants them. Out: they are the same. Clobbers x9, x10, x16.
 */
	.balign 8
PLACE(entry_restore_words)
	adr	x9, 2f
1:	ldr	x10, [x9, #WORD_AT]
	ldr	x16, [x9, #WORD_FOR_PROGRAM]
	cbz	x10, 3f
	str	x16, [x10]
	add	x9, x9, #WORD_BYTES
	b	1b
3:	br	x16			/* of the last row: the program's entry */
	.balign 8
2:
PLACE(entry_restore_words_end)

/*
 * long entry_in_child(uint64_t flags, void (*function)(void *argument), void *argument)
 * In: x0, x1, x2. Out: in the caller, x0.
 */
FUNCTION(entry_in_child)
	mov	x9, x1
	mov	x10, x2
	mov	x1, #0				/* the child has the stack pointer of the caller */
	mov	x8, #SYS_clone
	svc	#0
	cbz	x0, 1f
	ret
1:	mov	x0, x10
	blr	x9

	.section .note.GNU-stack, "", @progbits
