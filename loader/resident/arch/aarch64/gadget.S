/*
 * Code where resident code and the program's registers meet.
 *
 * The gadget makes a system call of the program.
 * In: x19 the address of this thread's struct thread, x20 that of the frame by whose return the
 * thread came here; the others as the kernel wants them.
 * Out: every register as after a `svc` at the program's own place. No stack is used until the call
 * is over: then rt_sigreturn reads the frame, which has got the program's registers and the result.
 *
 * A signal may arrive before any of these instructions. gadget_unwind() (gadget_call.c) turns each
 * of the states in between into one before or after the program's own instruction.
 */
#define NUMBER(name, value, meaning) .set name, value
#include "loader/resident/arch/numbers.def"

#include <sys/syscall.h>

	.section .text, "ax", @progbits
	.globl gadget_start
	.type gadget_start, @function
gadget_start:
	svc	#0
	str	x0, [x19, #THREAD_RESULT]
	.globl gadget_made
gadget_made:
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
	.globl gadget_end
gadget_end:

/*
 * long gadget_copy(void *to, const void *from, uint64_t length)
 * In: x0, x1, x2. Out: x0 0, or -EFAULT if the program's memory cannot be read or written: then
 * the handler of the fault continues at gadget_copy_fault. All accesses are at gadget_copy_access or
 * after it, up to gadget_copy_done. Clobbers x4.
 */
	.globl gadget_copy
	.type gadget_copy, @function
gadget_copy:
	.globl gadget_copy_access
gadget_copy_access:
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
	.globl gadget_copy_done
gadget_copy_done:
2:	mov	x0, #0
	ret
	.globl gadget_copy_fault
gadget_copy_fault:
	mov	x0, #COPY_FAILED
	ret

/*
 * void gadget_on_signal(int number, void *info, void *context)
 * void gadget_on_managed(int number, void *info, void *context)
 * Signal handlers, in: x0, x1, x2, as the kernel calls them.
 */
	.globl gadget_on_signal
	.type gadget_on_signal, @function
gadget_on_signal:
	b	handler_of_signal

	.globl gadget_on_managed
	.type gadget_on_managed, @function
gadget_on_managed:
	b	handler_of_managed

/*
 * long gadget_exec(const struct call *call, const uint64_t *mask)
 * In: x0, x1. Out: x0 -errno; it does not return if the program is replaced. From
 * gadget_exec_window on, signals are delivered; up to gadget_exec_done their handler continues at
 * gadget_exec_abort.
 */
	.globl gadget_exec
	.type gadget_exec, @function
gadget_exec:
	mov	x9, x0
	mov	x0, #SET_MASK
	mov	x2, #0
	mov	x3, #MASK_BYTES
	mov	x8, #SYS_rt_sigprocmask
	svc	#0
	.globl gadget_exec_window
gadget_exec_window:
	ldr	x8, [x9, #CALL_NUMBER]
	ldp	x0, x1, [x9, #CALL_ARGUMENTS]
	ldp	x2, x3, [x9, #CALL_ARGUMENTS + 2 * 8]
	ldr	x4, [x9, #CALL_ARGUMENTS + 4 * 8]
	svc	#0
	.globl gadget_exec_done
gadget_exec_done:
	ret
	.globl gadget_exec_abort
gadget_exec_abort:
	mov	x0, #EXEC_RESTART
	ret

/*
 * long gadget_spawn(long number, uint64_t a, b, c, d, e)
 * In: x0 to x5: a system call of the clone family, which gives the child a stack with a struct
 * signal_frame on it. Out: in the parent, x0 its result. The child continues where the frame says,
 * by processes_begin_thread().
 */
	.globl gadget_spawn
	.type gadget_spawn, @function
gadget_spawn:
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
 * In: x0, x1. Checks thread->news and returns from the handler, whose frame the kernel finds at
 * the stack pointer, in one step: a signal in between goes back to the check (gadget_news). Memory
 * below the frame is not needed any more.
 */
	.globl gadget_return
	.type gadget_return, @function
gadget_return:
	sub	x1, x1, #FRAME_CONTEXT
	mov	sp, x1
	.globl gadget_return_look
gadget_return_look:
	ldrb	w9, [x0, #THREAD_NEWS]
	cbnz	w9, gadget_return_done
	mov	x8, #SYS_rt_sigreturn
	svc	#0
	.globl gadget_return_done
gadget_return_done:
	add	x1, sp, #FRAME_CONTEXT
	bl	handlers_end

/*
 * void gadget_restore_signal(void): the restorer of the loader's handlers. Debuggers know a frame
 * by these two instructions. The nop: dispatch checks the address after `svc`, which must be inside
 * resident code.
 */
	.globl gadget_restore_signal
	.type gadget_restore_signal, @function
gadget_restore_signal:
	mov	x8, #SYS_rt_sigreturn
	svc	#0
	nop

	.section .note.GNU-stack, "", @progbits
