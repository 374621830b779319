/*
 * Code where resident code and the program's registers meet: gadget.h says what it does.
 *
 * The gadget makes a system call of the program.
 * In: x19 the address of this thread's struct thread, x20 that of the frame from which the
 * thread returned to here; the others as the kernel wants them.
 * Out: every register as after a `svc` at the program's own place. No stack is used until the call
 * is over: then rt_sigreturn reads the frame, which has got the program's registers and the result.
 */
#include "loader/resident/arch/assembly.h"

	.section .text, "ax", @progbits
FUNCTION(gadget_start)
	svc	#0
	str	x0, [x19, #THREAD_RESULT]
PLACE(gadget_made)
	add	x1, x19, #REGISTER_X
	add	x2, x20, #FRAME_X
	mov	x3, #REGISTER_PAIRS
1:	ldp	x4, x5, [x1], #16
	stp	x4, x5, [x2], #16
	subs	x3, x3, #1
	b.ne	1b
	ldr	x0, [x19, #THREAD_RESULT]
	str	x0, [x20, #FRAME_X]
	mov	sp, x20
	mov	x8, #SYS_rt_sigreturn
	svc	#0
PLACE(gadget_end)

/*
 * long gadget_copy(void *to, const void *from, uint64_t length)
 * In: x0, x1, x2. Out: x0. Clobbers x4. The kernel copies nothing from or to a tagged address.
 */
FUNCTION(gadget_copy)
	cbz	x2, gadget_copy_done
	orr	x4, x0, x1
	lsr	x4, x4, #56
	cbnz	x4, gadget_copy_fault
PLACE(gadget_copy_access)
	cmp	x2, #8
	b.lo	1f
	ldr	x4, [x1], #8
	str	x4, [x0], #8
	sub	x2, x2, #8
	b	gadget_copy_access
1:	cbz	x2, 2f
	ldrb	w4, [x1], #1
	strb	w4, [x0], #1
	sub	x2, x2, #1
	b	1b
PLACE(gadget_copy_done)
2:	mov	x0, #0
	ret
PLACE(gadget_copy_fault)
	mov	x0, #COPY_FAILED
	ret

/*
 * void gadget_on_signal(int number, void *info, void *context)
 * void gadget_on_managed(int number, void *info, void *context)
 * Signal handlers, in: x0, x1, x2, as the kernel calls them.
 */
FUNCTION(gadget_on_signal)
	b	handler_of_signal

FUNCTION(gadget_on_managed)
	b	handler_of_managed

/*
 * long gadget_exec(const struct call *call, const uint64_t *mask)
 * In: x0, x1. Out: x0.
 */
FUNCTION(gadget_exec)
	mov	x9, x0
	mov	x0, #SET_MASK
	mov	x2, #0
	mov	x3, #MASK_BYTES
	mov	x8, #SYS_rt_sigprocmask
	svc	#0
PLACE(gadget_exec_window)
	ldr	x8, [x9, #CALL_NUMBER]
	ldp	x0, x1, [x9, #CALL_ARGUMENTS]
	ldp	x2, x3, [x9, #CALL_ARGUMENTS + 2 * 8]
	ldr	x4, [x9, #CALL_ARGUMENTS + 4 * 8]
	svc	#0
PLACE(gadget_exec_done)
	ret
PLACE(gadget_exec_abort)
	mov	x0, #EXEC_RESTART
	ret

/*
 * long gadget_spawn(long number, uint64_t a, b, c, d, e)
 * In: x0 to x5. Out: in the parent, x0.
 */
FUNCTION(gadget_spawn)
	mov	x8, x0
	mov	x0, x1
	mov	x1, x2
	mov	x2, x3
	mov	x3, x4
	mov	x4, x5
	svc	#0
	cbz	x0, 1f
	ret
1:	mov	x0, sp
	mov	x29, #0
	bl	processes_begin_thread

/*
 * void gadget_return(struct thread *thread, struct kernel_context *context)
 * In: x0, x1. The kernel finds the handler's frame at the stack pointer. Memory below it is not
 * needed any more.
 */
FUNCTION(gadget_return)
	sub	x1, x1, #FRAME_CONTEXT
	mov	sp, x1
PLACE(gadget_return_look)
	ldrb	w9, [x0, #THREAD_NEWS]
	cbnz	w9, gadget_return_done
	mov	x8, #SYS_rt_sigreturn
	svc	#0
PLACE(gadget_return_done)
	add	x1, sp, #FRAME_CONTEXT
	bl	handlers_end

/*
 * void gadget_restore_signal(void): the restorer of the loader's handlers. Debuggers know a frame
 * by these two instructions. The nop: dispatch checks the address after `svc`, which must be inside
 * resident code.
 */
FUNCTION(gadget_restore_signal)
	mov	x8, #SYS_rt_sigreturn
	svc	#0
	nop

	.section .note.GNU-stack, "", @progbits
