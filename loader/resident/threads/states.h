/*
 * The steps between the states of a thread and of a process: one function each, and nothing else
 * writes the two words, but for a tracer, who makes the process of its child LEAVING (tracees.c).
 * The table is in thread.h. All are async-signal-safe, and take process.lock themselves where they
 * need it, so that no caller may hold it.
 */
#ifndef LOADER_RESIDENT_THREADS_STATES_H
#define LOADER_RESIDENT_THREADS_STATES_H

#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/*
 * A block that is FREE, or GONE without a thread, becomes BORN, all else in it zero. Whoever makes
 * a thread of it sets its process: from then on those who leave that process wait for it.
 */
void state_new(struct thread *thread);

/* A block that no thread runs on becomes FREE. */
void state_free(struct thread *thread);

/*
 * The kernel has made the thread, and told its parent the ID. One that is killed before it can say
 * so itself is found by it. The block is not used for another thread before.
 */
void state_name(struct thread *thread, long id);

/* The caller goes from BORN to LAZY: from now on it can be asked to leave. */
void state_enter(struct thread *thread);

/* The caller, in the child of a fork, has IDs of its own. */
void state_learn_ids(struct thread *thread);

/* The caller goes from LAZY to EXECS. False if its process is LEAVING, so that it must leave first.
 */
bool state_exec_begin(struct thread *thread);

/* The caller's execve has failed: LAZY again. */
void state_exec_failed(struct thread *thread);

/*
 * The process goes from LAZY to LEAVING. ask() is called, under the lock, with each thread of it
 * that is LAZY, but not with `except`. Nothing if all have been asked already; whoever began may
 * have been killed before that. Returns whether the caller has asked.
 */
bool state_begin_leaving(struct process *process, const struct thread *except,
			 void (*ask)(struct thread *thread));

/* Whether another thread of the process is BORN, LAZY or in EXECS. */
bool state_others_are_lazy(const struct thread *thread);

/*
 * Whether the thread, in a handler of ours, has to leave: others have begun to, and it has not yet.
 */
bool state_must_leave(const struct thread *thread);

/* The caller goes from LAZY to LEAVING. */
void state_leave(struct thread *thread);

/* The caller, which exits, goes from LEAVING to GONE; nothing of ours is left for it. */
void state_exit(struct thread *thread);

/* Threads of the process that are BORN, LAZY or in EXECS, but that the kernel does not know any
 * more, become GONE. */
void state_bury_dead(struct process *process);

/*
 * If the process is LEAVING and no thread of it is BORN, LAZY or in EXECS any more, it becomes
 * NATIVE: restore() is called before, under the lock, and once more if whoever called it is killed
 * in it. Wakes those who wait for that.
 */
void state_finish(struct process *process, void (*restore)(struct process *process));

/* Waits until the process is NATIVE, or for 10 ms at most. Returns whether it is NATIVE. */
bool state_wait(struct process *process);

/* The caller goes from LEAVING to NATIVE; nothing of ours is left for it but to return. */
void state_go(struct thread *thread);

/* Whether another thread of the process is in this state, and alive. */
bool state_others_are(const struct thread *thread, enum thread_state state);

/*
 * Whether another thread of the process, alive, has its turn before the caller, and has not made
 * its last rt_sigreturn. All of them must have been LEAVING.
 */
bool state_others_go_first(const struct thread *thread);

#endif
