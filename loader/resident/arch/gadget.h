/*
 * The places and functions of gadget.S, in the processor's folder. Resident; async-signal-safe.
 *
 * The gadget makes a system call of the program outside any handler, with the program's registers
 * and without a stack. A handler enters the gadget by its return (gadget_enter() in gadget_call.h).
 * When the gadget ends, all registers except the result's have the program's values again. The next
 * instruction is the one after the program's call. A signal may arrive before any instruction of
 * the gadget. Then gadget_unwind() (gadget_call.c) moves the thread to before or after the
 * program's own instruction.
 *
 * On x86-64 the call's instruction overwrites two registers, and one of them holds the address for
 * the jump back. On arm64 and riscv64 the kernel changes only the result's register, so no register
 * can hold that address. There the gadget has to end with rt_sigreturn:
 *
 *   gadget_start  makes the call, stores the result in the thread and in the handler's frame
 *   gadget_made   sets the stack pointer to that frame, and calls rt_sigreturn
 *   gadget_end
 *
 * The frame is the one that led into the gadget, on the thread's own stack. Its instruction pointer
 * is already at the instruction after the program's call. A call in the gadget does not change the
 * floating-point state or, once it has returned, the signal mask. So the frame's values are still
 * right. A handler that interrupts the gadget may overwrite the frame: gadget_unwind() moves the
 * thread out of the gadget, and no thread returns into it. The second system call costs one more
 * entry to the kernel. A call that cannot wait (CALL_ORDINARY) does not need the gadget: the
 * handler makes it and returns with its result.
 *
 * Where the program's calls are rewritten (loader/resident/pager/rewrite.h), the gadget's own
 * instruction stays as it is. So the kernel makes the call.
 */
#pragma once

#include "loader/resident/arch/signal_frame.h"

#include <stdint.h>

struct call;
struct thread;

/* The start and end of resident code (resident.ld). */
extern const uint8_t resident_text[], resident_text_end[];

/*
 * The instruction that makes a system call, the first one after its result has been stored, and the
 * end.
 */
extern const uint8_t gadget_start[], gadget_made[], gadget_end[];

/*
 * Passes the thread to the gadget in a register that no system call uses. The gadget restores the
 * registers that are saved in the thread.
 */
static inline void gadget_give_thread(struct kernel_registers *registers, struct thread *thread);

#include ARCH_HEADER(gadget.h)

/*
 * Copies between the program's memory and resident memory. Returns 0, or -EFAULT if the program's
 * memory cannot be accessed. Hidden pages are revealed on the way. The caller must hold no lock.
 * All accesses are between gadget_copy_access and gadget_copy_done. If one of them cannot be made,
 * the handler of the fault continues at gadget_copy_fault.
 */
long gadget_copy(void *to, const void *from, uint64_t length);
extern const uint8_t gadget_copy_access[], gadget_copy_done[], gadget_copy_fault[];

/*
 * Whether the program may have protected its memory with protection keys (pkeys(7)). The kernel
 * starts a handler with access to memory of key 0 only. So gadget_copy grants itself all keys while
 * it copies.
 */
extern uint8_t gadget_has_keys;

/*
 * Makes a system call of the clone family with CLONE_VM. The child's new stack has a struct
 * signal_frame on top, from which processes_begin_thread() takes its registers. Returns the result
 * in the parent.
 */
long gadget_spawn(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e);

/*
 * Makes an execve or execveat, with the program's own signal mask in force.
 * Returns -errno, or -KERNEL_RESTART if a signal was delivered before the call started. Afterwards
 * every signal may be unblocked. Signals are delivered between gadget_exec_window and
 * gadget_exec_done, and their handler continues at gadget_exec_abort.
 */
long gadget_exec(const struct call *call, const uint64_t *mask);
extern const uint8_t gadget_exec_window[], gadget_exec_done[], gadget_exec_abort[];

#define KERNEL_RESTART 512 /* ERESTARTSYS, known only inside the kernel */

/*
 * The loader's handlers: of signals that the program handles, and of the managed ones. They call
 * handler_of_signal() and handler_of_managed().
 */
void gadget_on_signal(int number, void *info, void *context);
void gadget_on_managed(int number, void *info, void *context);

/*
 * Returns from a handler of the loader, with the registers of the context. If thread->news is set
 * by then, it calls handlers_end() again instead. A signal that arrives between the check and the
 * return sends the thread back to gadget_return_look.
 */
_Noreturn void gadget_return(struct thread *thread, struct kernel_context *context);
extern const uint8_t gadget_return_look[], gadget_return_done[];

/* The restorer of the loader's handlers, for those that end without checking thread->news. */
void gadget_restore_signal(void);
