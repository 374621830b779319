/* The places and functions of gadget.S. Resident; async-signal-safe. */
#ifndef LOADER_RESIDENT_ARCH_GADGET_H
#define LOADER_RESIDENT_ARCH_GADGET_H

#include <stdint.h>

struct thread;
struct kernel_context;

/* Where resident code begins and ends (resident.ld). */
extern const uint8_t resident_text[], resident_text_end[];

/* Where a system call of the program is made, where its result has been kept, and the end. */
extern const uint8_t gadget_start[], gadget_made[], gadget_end[];

/*
 * Copies between memory of the program and our own. 0, or -EFAULT where the program's cannot be
 * accessed. A page that is hidden comes in on the way. Not to be called under a lock.
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
 * execve or execveat with the program's own signal mask in force. Returns -errno, or
 * -KERNEL_RESTART if a signal came in before it began. Every signal may be unblocked afterwards.
 */
struct exec_call {
	uint64_t mask;
	uint64_t number;
	uint64_t arguments[5];
};
long gadget_exec(const struct exec_call *call);
extern const uint8_t gadget_exec_window[], gadget_exec_done[], gadget_exec_abort[];

#define KERNEL_RESTART 512 /* ERESTARTSYS: known inside the kernel only */

/*
 * Our handlers: of signals that the program handles, which calls handler_of_signal(); and two that
 * may go on in one of the program's, on the same stack, of the managed signals, and of others while
 * some threads have left lazy paging and some have not. They ask handler_of_managed() and
 * retire_forward() for the handler to go on in.
 */
void gadget_on_signal(int number, void *info, void *context);
void gadget_on_managed(int number, void *info, void *context);
void gadget_forward(int number, void *info, void *context);

/*
 * The return from a handler of ours, with the registers that are in the context; or handlers_end()
 * once more, if thread->news is set by then. What comes in between the look and the return goes
 * back to gadget_return_look.
 */
_Noreturn void gadget_return(struct thread *thread, struct kernel_context *context);
extern const uint8_t gadget_return_look[], gadget_return_done[];

/* The restorer of our handlers, where nothing can have come in. */
void gadget_restore_signal(void);

#endif
