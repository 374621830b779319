/*
 * The steps between the states of a thread and of a process, one function each. Only these
 * functions write the two words. One exception is a tracer, which makes the process of its child
 * LEAVING (tracees.c). thread.h has the table of states. All functions are async-signal-safe. They
 * take process.lock themselves if they need it, so no caller may hold it.
 */
#pragma once

#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/*
 * Makes a block BORN that is FREE, or GONE without a thread, and zeroes the rest of it. The caller,
 * which starts a thread on it, then sets its process. From then on threads that leave that process
 * wait for it.
 */
void state_new(struct thread *thread);

/* Makes a block FREE that no thread runs on. */
void state_free(struct thread *thread);

/*
 * Stores the ID of a thread that the kernel has created, as returned to its parent. If the thread
 * is killed before it can store its ID itself, others find out by this ID. Until this call the
 * block is not used for another thread.
 */
void state_name(struct thread *thread, long id);

/* The caller goes from BORN to LAZY: from now on it can be asked to leave. */
void state_enter(struct thread *thread);

/* Stores the new IDs of the caller, in the child of a fork. */
void state_learn_ids(struct thread *thread);

/*
 * The caller goes from LAZY to EXECS. Returns false if its process is LEAVING: then the caller must
 * leave first.
 */
bool state_exec_begin(struct thread *thread);

/* The caller's execve has failed: it becomes LAZY again. */
void state_exec_failed(struct thread *thread);

/*
 * The process goes from LAZY to LEAVING. ask() is called, under the lock, for each thread of it
 * that is LAZY, except for `except`. Does nothing if every thread has been asked. A thread that
 * started to ask may have been killed, so any thread may call this again. Returns whether the
 * caller has asked.
 */
bool state_begin_leaving(struct process *process, const struct thread *except,
			 void (*ask)(struct thread *thread));

/* Whether another thread of the process is BORN, LAZY or in EXECS. */
bool state_others_are_lazy(const struct thread *thread);

/*
 * Whether the thread, in a handler of the loader, must leave: other threads have started to, and it
 * has not.
 */
bool state_must_leave(const struct thread *thread);

/* The caller goes from LAZY to LEAVING. */
void state_leave(struct thread *thread);

/* The caller, which exits, goes from LEAVING to GONE. The loader does nothing for it any more. */
void state_exit(struct thread *thread);

/* Makes threads of the process GONE that are BORN, LAZY or in EXECS, but that have died. */
void state_bury_dead(struct process *process);

/*
 * If no thread of a LEAVING process is BORN, LAZY or in EXECS any more, makes the process NATIVE,
 * and wakes its threads. restore() is called first, under the lock. If its caller is killed in it,
 * another thread calls restore() again.
 */
void state_finish(struct process *process, void (*restore)(struct process *process));

/* Waits until the process is NATIVE, or for 10 ms at most. Returns whether it is NATIVE. */
bool state_wait(struct process *process);

/* The caller goes from LEAVING to NATIVE. It only has to return to the program. */
void state_go(struct thread *thread);

/* Whether another thread of the process is in this state. It may have died in it. */
bool state_others_are(const struct thread *thread, enum thread_state state);

/*
 * Whether another living thread of the process has its turn before the caller, and has not made its
 * last rt_sigreturn. All threads must have been LEAVING.
 */
bool state_others_go_first(const struct thread *thread);
