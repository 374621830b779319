/*
 * The places and functions of gadget.S, in the processor's folder. Resident; async-signal-safe.
 *
 * The gadget is where a system call of the program is made, outside any handler, with the program's
 * registers and no stack. A handler enters it by its return (gadget_enter() in gadget_call.h). When
 * the gadget is left, all registers but the result's have the program's values again, and the next
 * instruction is the one after the program's call.
 *
 * On x86-64 the call's instruction overwrites two registers, and one of them holds the address for
 * the jump back. On arm64 and riscv64 the kernel changes the result's register alone, so no
 * register can hold an address. There the gadget has to end with rt_sigreturn:
 *
 *   gadget_start  makes the call, stores the result in the thread and in the handler's frame
 *   gadget_made   sets the stack pointer to that frame, and calls rt_sigreturn
 *   gadget_end
 *
 * The frame is the one that led into the gadget, on the thread's own stack. Its place is already
 * the one after the program's call. A call in the gadget changes neither floating-point state nor,
 * once it has returned, the signal mask, so the frame's are still right. A handler that interrupts
 * the gadget may overwrite the frame: gadget_unwind() moves the thread out of the gadget, and no
 * thread returns into it. The second call costs one more entry to the kernel. A call that cannot
 * wait (CALL_ORDINARY) can do without: the handler makes it and returns with its result.
 *
 * Where the program's call was rewritten to a branch, as arm64 needs without dispatch, the code at
 * the branch's end makes the call and branches back. Neither branch needs a register. The gadget
 * remains for calls whose arguments a handler has changed.
 */
#ifndef LOADER_RESIDENT_ARCH_GADGET_H
#define LOADER_RESIDENT_ARCH_GADGET_H

#include "loader/resident/arch/signal_frame.h"

#include <stdint.h>

struct thread;

/* Where resident code begins and ends (resident.ld). */
extern const uint8_t resident_text[], resident_text_end[];

/* Where a system call of the program is made, where its result has been kept, and the end. */
extern const uint8_t gadget_start[], gadget_made[], gadget_end[];

/* The gadget finds the thread, whose registers are saved, in a register that no call has use for.
 */
static inline void gadget_give_thread(struct kernel_registers *registers, struct thread *thread);

#include ARCH_HEADER(gadget.h)

/*
 * Copies between memory of the program and our own. 0, or -EFAULT where the program's cannot be
 * accessed. A hidden page is revealed on the way. Nobody calls this under a lock.
 */
long gadget_copy(void *to, const void *from, uint64_t length);
extern const uint8_t gadget_copy_access[], gadget_copy_fault[];

/*
 * Whether the program may have given its memory protection keys (pkeys(7)): a handler begins
 * without the rights to any but the first, and gadget_copy takes them for the time of it.
 */
extern uint8_t gadget_has_keys;

/*
 * A system call of the clone family with CLONE_VM. The stack that it gives the child has a struct
 * signal_frame on top, which the child takes its registers from. The result, in the parent.
 */
long gadget_spawn(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e);

/*
 * execve or execveat, as the registers say, with a signal mask in force that is the program's own.
 * Returns -errno, or -KERNEL_RESTART if a signal was delivered before the call began. Every signal
 * may be unblocked afterwards.
 */
long gadget_exec(const struct kernel_registers *registers, const uint64_t *mask);
extern const uint8_t gadget_exec_window[], gadget_exec_done[], gadget_exec_abort[];

#define KERNEL_RESTART 512 /* ERESTARTSYS: known inside the kernel only */

/*
 * What gadget.S calls: functions of folders that stand above this one, which fill the table before
 * the first of them can be needed (launch.c).
 */
struct gadget_upward {
	void (*on_signal)(int number, void *info, void *context);
	void (*on_managed)(int number, void *info, void *context);
	void (*handler_end)(struct thread *thread, struct kernel_context *context);
	void (*begin_thread)(struct signal_frame *frame);
};
extern struct gadget_upward gadget_upward;

/* Our handlers in the kernel: of signals that the program handles, and of the managed ones. */
void gadget_on_signal(int number, void *info, void *context);
void gadget_on_managed(int number, void *info, void *context);

/*
 * The return from a handler of ours, with the registers that are in the context; or the handler's
 * end (gadget_upward) once more, if thread->news is set by then. A signal that arrives between the
 * look and the return makes the thread go back to gadget_return_look.
 */
_Noreturn void gadget_return(struct thread *thread, struct kernel_context *context);
extern const uint8_t gadget_return_look[], gadget_return_done[];

/* The restorer of our handlers, for those that end without a look at thread->news. */
void gadget_restore_signal(void);

#endif
