/*
 * What the guard checks and does for each call. Each function is implemented in the file named in
 * its comment; each file covers one aspect of calls. Resident; async-signal-safe; called in the
 * handler of SIGSYS unless the comment says otherwise.
 */
#pragma once

#include "loader/resident/calls/system_calls.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/* arguments.c: makes the memory present that the arguments point to. */
void arguments_reveal(struct system_call call, const struct kernel_registers *registers);

/*
 * arguments.c: what the argument of an ioctl request points to: ARGUMENT_P, ARGUMENT_S, or
 * ARGUMENT_V if that is not known.
 */
enum argument arguments_of(uint64_t request);

/*
 * waits.c: whether a call may wait for another thread of the program. The thread may have to write,
 * wake, unlock or, as the server of a file system, answer. Also true if the call sends a managed
 * signal to a thread: the kernel would drop it if a fault's signal with the same number were
 * pending there.
 */
bool waits_may_wait(const struct system_call *call, const struct kernel_registers *registers);

/*
 * waits.c: whether a call waits on a futex without a time limit. Only another thread ends such a
 * call.
 */
bool waits_for_waker(const struct kernel_registers *registers);

/*
 * waits.c: whether a call of CALL_SEND sends a managed signal that the caller has blocked. Lazy
 * paging would have to end where the signal arrives. A siginfo does not show which of the kernel's
 * two queues the signal came from, the thread's or the process's.
 *
 * Also true if the call sends an exception's signal to a thread, with a code that may be an
 * exception's. The kernel delivers such a signal, although it is blocked, as soon as another
 * exception is pending there, for example that of a system call (dequeue_synchronous_signal).
 */
bool waits_sends_blocked(const struct thread *thread, const struct kernel_context *context);

/*
 * waits.c: whether a call of CALL_SEND sends a managed signal to a thread (not to a process) other
 * than the caller.
 */
bool waits_sends_to_thread(const struct thread *thread, const struct kernel_registers *registers);

/*
 * waits.c: whether a call ends a thread or its program while that thread may hold robust locks
 * (get_robust_list(2)). A thread may hold one if its list is not empty, or if a lock is being added
 * to the list. The kernel walks that list itself to wake the waiters, and stops at the first hidden
 * word.
 */
bool waits_leaves_locks(const struct system_call *call, const struct kernel_registers *registers);

/*
 * proc_files.c: whether an open, openat or openat2 opens a file of procfs, by any name. Such files
 * could show the program the loader's handlers, hidden pages and descriptor. The check looks at the
 * file, whether it exists or not. It opens nothing if the name alone determines where the file is;
 * that is not so for openat2.
 */
bool proc_file_is_named(const struct kernel_registers *registers);

/*
 * masked_call.c: like gadget_enter(), for a call that sets a signal mask while it waits:
 * sigsuspend, ppoll and the like. A managed signal in the mask is not really blocked; the thread
 * records it instead.
 */
void masked_call_make(struct thread *thread, struct kernel_context *context);

/*
 * executable.c, called before the jump: whether a program may ask for its own file. Such a program
 * has one of the file's names in /proc, or the start of one, among its constants.
 */
bool executable_is_wanted(int descriptor);

/*
 * executable.c: answers or makes a call whose argument names the loader's file in /proc, which must
 * name the program's file instead. Returns false if no argument does; the guard then continues.
 */
bool executable_call(struct thread *thread, struct kernel_context *context);

/*
 * tracees.c, called before the caller leaves for ptrace(): makes the children of the caller, which
 * must be the only thread, leave first. Children that may not be traced, or that take more than
 * half a second, are skipped.
 */
void tracees_leave(const struct thread *thread, const struct kernel_registers *registers);

/* processes.c: makes a fork, vfork, clone or clone3, and returns its result. */
long processes_clone(struct thread *thread, struct kernel_context *context);

/*
 * processes.c, called by gadget_spawn() on the child's block: the child continues as its frame
 * says. First it checks whether its process is LEAVING, because no thread could ask it before.
 */
void processes_begin_thread(struct signal_frame *frame);
