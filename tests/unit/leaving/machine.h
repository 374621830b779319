/*
 * How the threads of a process leave lazy paging: a machine with a few threads that runs the
 * loader's own code, one step at a time. tests/tests.mk lists the sources that it drives.
 *
 * A step of a thread ends before its next write to a shared word, or before its next system call
 * that other threads can notice. In one scenario each read of a shared word ends a step, too. Each
 * thread has its block, as in the product, and its handlers run there. So the state of the machine
 * is the words below, each struct thread, and each stack in use. A state can be saved and restored.
 *
 * The machine has its own version of these parts, which are therefore not tested: the kernel
 * (machine.c), and in program.c the end of a handler, execve and clone as gadget.S makes them,
 * frames on the program's stack, the pager, and the decisions of guard.c about a call. Memory is
 * sequentially consistent. If a handler interrupts another one, notes the signal and returns, that
 * is not a step.
 *
 * Every signal is a SIGSEGV sent to one thread: while one is pending there, the kernel drops the
 * next.
 */
#pragma once

#include "loader/resident/threads/thread.h"

#include <stdbool.h>
#include <stdint.h>

#define THREADS 3
#define KILLED	1

/* What the program does; a scenario says how often. Signals come from another process. */
enum event {
	EVENT_NONE,
	EVENT_TOUCH,  /* touches a hidden page */
	EVENT_CALL,   /* makes a short call, in the gadget */
	EVENT_WAIT,   /* makes a call that sleeps in the gadget */
	EVENT_WAKE,   /* ends such a call */
	EVENT_END,    /* makes a call that ends lazy paging */
	EVENT_JOIN,   /* makes such a call, which waits until another thread wakes a futex */
	EVENT_FILTER, /* installs a filter of system calls for all threads */
	EVENT_MILD,   /* installs a filter that allows all calls of the loader's handlers */
	EVENT_NATIVE, /* installs a filter in a thread that has left lazy paging */
	EVENT_EXIT,
	EVENT_EXEC,
	EVENT_CLONE,
	EVENT_FORK,
	EVENT_DEATH, /* is killed in a call, or before the thread begins */
	EVENT_KILL,  /* thread KILLED is killed, anywhere in resident code */
	EVENT_SIGNAL,
	EVENT_ASKS, /* thread KILLED was killed, before the scenario, while it asked the others */
	EVENTS
};

/* Where a thread is. RUNS: in resident code, on its stack. */
enum spot { NOWHERE, PROGRAM, FILTERS, CALLS, SLEEPS, RUNS };

enum sent { SENT_NONE, SENT_REQUEST, SENT_FAULT, SENT_FOREIGN };

enum entry { ENTRY_SIGNAL, ENTRY_CALL, ENTRY_BIRTH };

/* What the kernel knows of a thread. */
struct task {
	uint64_t mask;	      /* the blocked signals */
	uint64_t instruction; /* where the thread is, as a handler's context shows it */
	uint64_t sleeps_on;   /* the address of a futex, or 0 */
	void *jump[5];	      /* RUNS: for __builtin_longjmp(); the third is the stack pointer */
	const char *doing;    /* the function that makes the next step */
	int32_t id;
	uint8_t place, event, pending, entry;
	uint8_t ways; /* the number of ways to make the next step */
	bool alive, exited, began, dispatch, our_stack;
	bool blocks;	   /* the program blocks SIGSYS */
	bool page;	   /* the lowest page of the block has memory */
	bool must_deliver; /* returns from the kernel, which delivers a pending signal first */
	bool changed;	   /* EVENT_JOIN: the futex has changed, so the call returns at once */
	bool has_taken;	   /* the thread has taken a lock and made no step since */
	bool looks_again, stale; /* waits for a change of the state; it has changed */
};

struct machine {
	uint64_t restored; /* the signals for which the kernel has the program's handler */
	int owed; /* the number of signals from another process that are not delivered yet */
	int32_t next_id;
	uint8_t left[EVENTS];
	bool reads_are_steps, revealed, filter, replaced, forked;
	bool deaths; /* a thread may be killed; otherwise no wait reaches its time limit */
	struct task tasks[THREADS];
};

extern struct machine machine;

struct scenario {
	const char *name;
	bool reads_are_steps; /* a read of a shared word ends a step */
	uint8_t first;	      /* the first thread that exists: 1 if thread 0 has exited */
	uint8_t threads;      /* threads from `first` to threads - 1 exist at the beginning */
	uint8_t events[EVENTS];
};

/* machine.c */
extern unsigned self; /* the thread that makes a step */
struct thread *machine_thread(unsigned task);
void machine_prepare(void);
void machine_begin(const struct scenario *scenario);

/* Notes an error of this step. machine_wrong_now() returns it once, or NULL. */
void machine_wrong(const char *what);
const char *machine_wrong_now(void);

/* Ends the step. Returns, when the thread goes on, which of the `ways` it takes, from 0. */
unsigned machine_choose(const char *doing, unsigned ways);

/* Puts a thread at the beginning of resident code. It runs when it is resumed. */
void machine_enter(unsigned task, enum entry entry);

/* Runs the thread to the end of its step, on this way, or with its pending signal. */
#define WAY_SIGNAL 255
void machine_resume(unsigned task, unsigned way);

/* The thread leaves resident code. */
_Noreturn void machine_leave(enum spot place);

/* A task dies, with the signals that it was sent. */
void machine_bury(unsigned task);

siginfo_t machine_info(enum sent sent);

bool task_goes_on(const struct task *task);
bool task_is_given_signal(const struct task *task);

/* Saves the state, unless `to` is NULL. Returns its length in bytes. */
#define KEPT_MAX (THREADS * 8192)
unsigned machine_keep(uint8_t *to);
void machine_go_back(const uint8_t *from);

/* program.c: a function for each entry, on the thread's block. */
void program_enter(enum entry entry);

/* rt_sigreturn. */
_Noreturn void program_return(const struct kernel_context *context);

/* One step that the machine can make. */
struct move {
	uint8_t task, event, way; /* event: EVENT_NONE where it is not the program's choice */
};
#define MOVES_MAX 64
unsigned program_moves(struct move *moves);
void program_move(struct move move);

/* rules.c: what is wrong with the state, or NULL. */
const char *rules_wrong(void);
/* Whether every thread may stay where it is for ever. */
bool rules_is_final(void);
bool rules_has_to_leave(unsigned task);
/* A step of states.def that no scenario has made, or NULL. Steps to FREE do not count. */
const char *rules_step_not_made(void);

/* search.c: visits all states that can be reached, those after the fewest steps first. */
struct result {
	unsigned states;
	const char *wrong; /* NULL: nothing is wrong */
};
/* `prints`: prints the steps that lead to an error, on standard error. */
struct result search(const struct scenario *scenario, bool prints);
