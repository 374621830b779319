/*
 * What the guard asks of each call: every function is of the file that is named, which knows one
 * thing about calls. Resident; async-signal-safe; in the handler of SIGSYS, but for those that say
 * otherwise.
 */
#ifndef LOADER_RESIDENT_CALLS_PARTS_H
#define LOADER_RESIDENT_CALLS_PARTS_H

#include "loader/resident/calls/system_calls.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/* arguments.c: makes all present that the arguments are the addresses of. */
void arguments_reveal(struct system_call call, const struct kernel_registers *registers);

/*
 * arguments.c: what a request of ioctl has the address of: ARGUMENT_P, ARGUMENT_S, or ARGUMENT_V
 * where that is not known.
 */
enum argument arguments_of(uint64_t request);

/*
 * waits.c: whether a call may wait for another thread of the program: for what that thread writes,
 * wakes, unlocks or, as the server of a file system, answers; or whether it sends a managed signal
 * to a thread, which the kernel would drop if the signal of a fault were pending there.
 */
bool waits_may_wait(const struct system_call *call, const struct kernel_registers *registers);

/*
 * waits.c: whether a call waits on a futex without a limit of time. Only another thread ends such a
 * call.
 */
bool waits_for_waker(const struct kernel_registers *registers);

/*
 * Whether a call of CALL_SEND sends a managed signal that the caller has blocked. It would end lazy
 * paging where it arrives, and a siginfo does not tell from which of the kernel's two queues it
 * came, the thread's or the process's. Or a signal of exceptions, with a code that may be that of
 * one, to a thread: the kernel delivers it though it is blocked, as soon as another exception is
 * pending there, such as that of a system call (dequeue_synchronous_signal).
 */
bool waits_sends_blocked(const struct thread *thread, const struct kernel_context *context);

/*
 * Whether a call of CALL_SEND sends a managed signal to a thread, not to a process, which is not
 * the caller.
 */
bool waits_sends_to_thread(const struct thread *thread, const struct kernel_registers *registers);

/*
 * Whether a call ends a thread, or its program, while it may hold robust locks
 * (get_robust_list(2)), for which others wait: its list is not empty, or one is on its way into it.
 * The kernel then goes through the list by itself, and no further than to a word that is hidden.
 */
bool waits_leaves_locks(const struct system_call *call, const struct kernel_registers *registers);

/*
 * proc_files.c: whether an open, openat or openat2 is about a file of procfs, by whatever name: in
 * such files the program could see our handlers, hidden pages and descriptor. Looks at the file,
 * which is there or is not; nothing is opened where the name alone says where the file is, as it
 * does but for openat2.
 */
bool proc_file_is_named(const struct kernel_registers *registers);

/*
 * masked_call.c: goes on in the gadget, as gadget_enter(), with a call that puts a signal mask in
 * force while it waits: sigsuspend, ppoll and the like. A managed signal in the mask is not really
 * blocked; the thread remembers it.
 */
void masked_call_make(struct thread *thread, struct kernel_context *context);

/*
 * executable.c, before the jump: whether a program may ask for its own file. Then it has one of the
 * file's names in /proc, or the beginning of one, somewhere in its constants.
 */
bool executable_is_wanted(int descriptor);

/*
 * Answers or makes a call that is given a name of our file in /proc, which stands for the
 * program's. False: it is given none, so go on.
 */
bool executable_call(struct thread *thread, struct kernel_context *context);

/*
 * tracees.c, before the caller leaves for a call of ptrace: the children of the caller, a thread
 * that is alone, leave first. Not those that may not be traced, or that take over half a second.
 */
void tracees_leave(const struct thread *thread, const struct kernel_registers *registers);

/* processes.c: fork, vfork, clone, clone3: the result. */
long processes_clone(struct thread *thread, struct kernel_context *context);

/*
 * processes.c, called on the child's block by gadget_spawn(): the child goes on where its frame
 * says. It looks whether its process is LEAVING, because nobody could ask it before.
 */
void processes_begin_thread(struct signal_frame *frame);

#endif
