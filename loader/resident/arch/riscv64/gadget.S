/*
 * Code where resident code and the program's registers meet: gadget.h says what it does. gp and tp
 * are the program's everywhere here, and no code below uses them.
 *
 * The gadget makes a system call of the program.
 * In: s0 the address of this thread's struct thread, which starts with the program's registers; s1
 * the frame of the handler that led here; the others as the kernel wants them.
 * Out: every register as after an `ecall` at the program's own place. The kernel keeps all
 * registers but the result's over a call, so the gadget ends with rt_sigreturn from that frame. No
 * stack is used: the program's might have no room.
 */
#include "loader/resident/arch/assembly.h"

	.section .text, "ax", @progbits
FUNCTION(gadget_start)
	ecall
	sd	a0, THREAD_RESULT(s0)
PLACE(gadget_made)
	sd	a0, FRAME_REGISTERS+REGISTER_A0(s1)
	.irp	offset, REGISTER_PC, REGISTER_S0, REGISTER_S1, REGISTER_A1, REGISTER_A2, REGISTER_A3, REGISTER_A4, REGISTER_A5
	ld	t0, \offset(s0)
	sd	t0, FRAME_REGISTERS+\offset(s1)
	.endr
	mv	sp, s1
	li	a7, SYS_rt_sigreturn
	ecall
	nop
PLACE(gadget_end)

/*
 * long gadget_copy(void *to, const void *from, uint64_t length)
 * In: a0, a1, a2. Out: a0. Clobbers t0.
 */
FUNCTION(gadget_copy)
PLACE(gadget_copy_access)
	beqz	a2, 1f
	lbu	t0, (a1)
	sb	t0, (a0)
	addi	a0, a0, 1
	addi	a1, a1, 1
	addi	a2, a2, -1
	j	gadget_copy_access
PLACE(gadget_copy_done)
1:	li	a0, 0
	ret
PLACE(gadget_copy_fault)
	li	a0, COPY_FAILED
	ret

/*
 * void gadget_on_signal(int number, void *info, void *context)
 * void gadget_on_managed(int number, void *info, void *context)
 * Signal handlers, in: a0, a1, a2, as the kernel calls them; ra an address in the vDSO, whose
 * system call would be intercepted.
 */
	.macro handler name, function
FUNCTION(\name)
	lla	t0, frame_return
	sd	ra, (t0)
	lla	ra, gadget_restore_signal
	tail	\function
	.endm

	handler	gadget_on_signal, handler_of_signal
	handler	gadget_on_managed, handler_of_managed

/*
 * long gadget_exec(const struct call *call, const uint64_t *mask)
 * In: a0, a1. Out: a0.
 */
FUNCTION(gadget_exec)
	mv	t0, a0
	li	a7, SYS_rt_sigprocmask
	li	a0, SET_MASK
	li	a2, 0
	li	a3, MASK_BYTES
	ecall
PLACE(gadget_exec_window)
	ld	a7, CALL_NUMBER(t0)
	ld	a0, CALL_ARGUMENTS(t0)
	ld	a1, CALL_ARGUMENTS + 8(t0)
	ld	a2, CALL_ARGUMENTS + 16(t0)
	ld	a3, CALL_ARGUMENTS + 24(t0)
	ld	a4, CALL_ARGUMENTS + 32(t0)
	ecall
PLACE(gadget_exec_done)
	ret
PLACE(gadget_exec_abort)
	li	a0, EXEC_RESTART
	ret

/*
 * long gadget_spawn(long number, uint64_t a, b, c, d, e)
 * In: a0 to a5. Out: in the parent, a0.
 */
FUNCTION(gadget_spawn)
	mv	a7, a0
	mv	a0, a1
	mv	a1, a2
	mv	a2, a3
	mv	a3, a4
	mv	a4, a5
	ecall
	beqz	a0, 1f
	ret
1:	mv	a0, sp
	call	processes_begin_thread

/*
 * void gadget_return(struct thread *thread, struct kernel_context *context)
 * In: a0, a1. The kernel finds the handler's frame at the stack pointer. Memory below it is not
 * needed any more.
 */
FUNCTION(gadget_return)
	addi	sp, a1, -FRAME_CONTEXT
PLACE(gadget_return_look)
	lbu	t0, THREAD_NEWS(a0)
	bnez	t0, gadget_return_done
	li	a7, SYS_rt_sigreturn
	ecall
PLACE(gadget_return_done)
	addi	a1, sp, FRAME_CONTEXT
	call	handlers_end

/*
 * void gadget_restore_signal(void): where the loader's handlers return to.
 * The nop: dispatch checks the address after `ecall`, which must be inside resident code.
 */
FUNCTION(gadget_restore_signal)
	li	a7, SYS_rt_sigreturn
	ecall
	nop

	.section .note.GNU-stack, "", @progbits
