/*
 * Functions about signals that the handlers, and the calls answered by the loader, use. The comment
 * of each names its file. Resident; async-signal-safe.
 */
#pragma once

#include "loader/resident/threads/thread.h"

#include <signal.h>
#include <stdbool.h>

/*
 * actions.c: the program's action for a signal. If the action has SA_RESETHAND, it is reset to
 * SIG_DFL.
 */
struct kernel_sigaction actions_claim(struct process *process, int number);

/*
 * actions.c: sends a signal again that the kernel delivered to this thread, where it is not
 * blocked. It is sent to this thread: a siginfo does not show whether a timer's or a queued signal
 * was for the process or for one thread.
 */
void actions_send_again(int number, const siginfo_t *info);

/*
 * actions.c: like actions_send_again(), for a signal that the program blocks in this thread. A
 * signal sent to the process may be for another thread. A queued signal is assumed to have been
 * sent to the process.
 */
void actions_leave_pending(int number, const siginfo_t *info);

/*
 * deferred.c: adds a managed signal, sent while a handler of the loader runs, to those that the
 * thread keeps until the handler ends. The thread keeps one signal of each number, as the kernel
 * would; another one of the same number is dropped. The caller blocks FAULT_SIGNALS.
 */
void deferred_add(struct thread *thread, int number, const siginfo_t *info);

/*
 * deferred.c: takes one of the signals that the thread keeps; there must be one. Returns its
 * number. The caller blocks FAULT_SIGNALS.
 */
int deferred_take(struct thread *thread, siginfo_t *info);

/*
 * deferred.c: gives the kernel all signals that the thread keeps: for another thread if the caller
 * exits, for the caller itself if it leaves. FAULT_SIGNALS stay blocked.
 */
void deferred_give_away(struct thread *thread);

/* exec.c: makes an execve or execveat. It returns only if the call fails or must be made again. */
long exec_make(struct thread *thread, struct kernel_context *context);

/*
 * exec.c: called by the handler of a signal that arrived just before execve: see gadget_exec_window
 * in gadget.S.
 */
void exec_interrupted(const struct thread *thread, struct kernel_context *context);

/*
 * leave.c: asks all threads of a process to leave. After a thread has left, the kernel handles its
 * system calls, signal mask, alternate stack and handlers again; thread.h describes the states. The
 * caller leaves too, at the end of its handler. Returns false if another thread has asked before.
 */
bool leave_begin(struct thread *thread);

/*
 * leave.c: makes the caller leave, in a handler that was called on the caller's block. `context`
 * becomes what the return from the handler restores. The function returns when all threads of the
 * process have left, and those with an earlier turn have returned to the program. The order
 * matters: the program's next call may install a filter for all threads that forbids the calls
 * needed for leaving.
 */
void leave(struct thread *thread, struct kernel_context *context, enum leaving_turn turn);

/*
 * leave.c: asks a thread of a LEAVING process to leave, if it is not in a handler of the loader,
 * which would check at its end. The thread must not be in EXECS. `group` and `id` are those of
 * struct thread.
 */
void leave_ask(int32_t group, int32_t id);

/* leave.c: makes the caller exit, after it has passed on the signals that it kept for others. */
_Noreturn void leave_by_exit(struct thread *thread, uint64_t status);

/*
 * leave.c: whether a SIGSEGV is the request to leave that was sent to a thread of a LEAVING
 * process.
 */
bool leave_is_request(const struct thread *thread, const siginfo_t *info);

/*
 * signal_calls.c: installs the loader's handlers for the managed signals, or for SIGSEGV alone if
 * system calls are not intercepted. The previous actions go to process->actions. Returns false if
 * the kernel refuses.
 */
bool signal_calls_arm(struct process *process, bool system_calls);

/*
 * signal_calls.c: installs the handlers again in a child whose handlers the kernel has reset
 * (CLONE_CLEAR_SIGHAND).
 */
void signal_calls_rearm(struct process *process);

/*
 * signal_calls.c: answers rt_sigaction, rt_sigprocmask, rt_sigpending or sigaltstack, and returns
 * the result.
 */
long signal_call(struct thread *thread, struct kernel_context *context);
