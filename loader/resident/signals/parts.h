/*
 * What the handlers, and the calls that are answered, ask about signals, with the file that each
 * function is in. Resident; async-signal-safe.
 */
#ifndef LOADER_RESIDENT_SIGNALS_PARTS_H
#define LOADER_RESIDENT_SIGNALS_PARTS_H

#include "loader/resident/threads/thread.h"

#include <signal.h>
#include <stdbool.h>

/*
 * actions.c: what the program wants done about a signal; a handler for one occasion is used up by
 * it.
 */
struct kernel_sigaction actions_claim(struct process *process, int number);

/*
 * actions.c: sends a signal that the kernel gave to this thread, which does not block it, once
 * more. To this thread: whether it was sent to the process or to one thread cannot be told from a
 * timer's signal or a queued one.
 */
void actions_send_again(int number, const siginfo_t *info);

/*
 * The same, where the program blocks it in this thread: sent to the process it may be another
 * thread's. A queued one is taken for one that was sent to the process.
 */
void actions_leave_pending(int number, const siginfo_t *info);

/*
 * deferred.c, about managed signals that somebody sends while a handler of ours runs: the thread
 * keeps them, one of each number as the kernel would, until the handler ends. Adds one, unless the
 * thread has one of this number. FAULT_SIGNALS are blocked.
 */
void deferred_add(struct thread *thread, int number, const siginfo_t *info);

/*
 * deferred.c: takes one of those that the thread keeps; there must be one. FAULT_SIGNALS are
 * blocked. Returns its number.
 */
int deferred_take(struct thread *thread, siginfo_t *info);

/*
 * deferred.c: the kernel gets what the thread keeps: for another thread, where this one exits, or
 * for itself, where it leaves. FAULT_SIGNALS stay blocked.
 */
void deferred_give_away(struct thread *thread);

/* exec.c: execve and execveat, by which another program takes the place of this one. */
long exec_make(struct thread *thread, struct kernel_context *context);

/* exec.c: a handler for a signal that arrived on the way into execve: see gadget.S. */
void exec_interrupted(const struct thread *thread, struct kernel_context *context);

/*
 * leave.c, where a thread leaves: from its return to the program on its system calls are the
 * kernel's again, and so are its mask, its alternate stack and the handlers. The states are in
 * thread.h. Asks all threads of a process to leave, the caller included, who does so at its
 * handler's end. False if somebody has done so before.
 */
bool leave_begin(struct thread *thread);

/*
 * leave.c: the caller leaves, in a handler that was called on its block: `context` becomes what the
 * handler's return puts in force. Returns when all threads of the process have left, and those with
 * an earlier turn have returned to the program: what the program does next may be a filter of
 * system calls for all threads, which forbids what leaving takes.
 */
void leave(struct thread *thread, struct kernel_context *context, enum leaving_turn turn);

/*
 * leave.c: asks a thread, of a process that is LEAVING, to leave, if it is in no handler of ours
 * that ends. It must not be in EXECS. `group` and `id` are those of struct thread.
 */
void leave_ask(int32_t group, int32_t id);

/* leave.c: the caller exits; this takes care of what it kept for others. */
_Noreturn void leave_by_exit(struct thread *thread, uint64_t status);

/*
 * leave.c: whether a SIGSEGV is the one by which a thread of a process that is LEAVING is asked to
 * leave.
 */
bool leave_is_request(const struct thread *thread, const siginfo_t *info);

/*
 * signal_calls.c: installs our handlers for the managed signals, or for SIGSEGV alone where system
 * calls do not come to us. What was there goes to process->actions. False if the kernel refuses.
 */
bool signal_calls_arm(struct process *process, bool system_calls);

/* Installs them again in a child whose handlers the kernel has reset (CLONE_CLEAR_SIGHAND). */
void signal_calls_rearm(struct process *process);

/* signal_calls.c: rt_sigaction, rt_sigprocmask, rt_sigpending, sigaltstack: the result. */
long signal_call(struct thread *thread, struct kernel_context *context);

#endif
