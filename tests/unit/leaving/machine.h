/*
 * How the threads of a process leave lazy paging: a machine with a few threads, on which the
 * loader's own code runs, one step at a time. tests/tests.mk lists the sources that it drives.
 *
 * A step of a thread goes from one write to a shared word, or from one system call that others
 * notice, to the next; in one scenario a read is a step, too. Each thread has its block, as in the
 * product, and its handlers run there, so that the state of the machine is the words below, each
 * struct thread, and each stack that is in use. It can be kept, and gone back to.
 *
 * The machine's own, and so not checked against the product: the kernel (machine.c), and in
 * program.c what gadget.S does at the end of a handler, in execve and in clone; frames on
 * the program's stack; the pager; and what guard.c decides about a call. Memory is sequentially
 * consistent. A handler that interrupts another one, notes the signal and returns, is no step.
 *
 * All signals are a SIGSEGV sent to one thread: of it alone the kernel keeps one and drops the
 * next.
 */
#pragma once

#include "loader/resident/threads/thread.h"

#include <stdbool.h>
#include <stdint.h>

#define THREADS 3
#define KILLED	1

/* What the program does, each so often as a scenario says. Signals come from outside. */
enum event {
	EVENT_NONE,
	EVENT_TOUCH,  /* a hidden page */
	EVENT_CALL,   /* a short call, in the gadget */
	EVENT_WAIT,   /* a call that sleeps in the gadget */
	EVENT_WAKE,   /* of such a call */
	EVENT_END,    /* a call that ends lazy paging */
	EVENT_JOIN,   /* the same: a wait on a futex until another thread wakes this one */
	EVENT_FILTER, /* a filter of system calls for all threads */
	EVENT_MILD,   /* the same, but it allows all that the loader's handlers do */
	EVENT_NATIVE, /* a filter, by a thread that has left before */
	EVENT_EXIT,
	EVENT_EXEC,
	EVENT_CLONE,
	EVENT_FORK,
	EVENT_DEATH, /* without notice, in a call or before the thread begins */
	EVENT_KILL,  /* the same anywhere in resident code; of thread KILLED alone */
	EVENT_SIGNAL,
	EVENT_ASKS, /* before the beginning: KILLED was killed while it asked the others */
	EVENTS
};

/* Where a thread is. RUNS: in resident code, with a stack. */
enum spot { NOWHERE, PROGRAM, FILTERS, CALLS, SLEEPS, RUNS };

enum sent { SENT_NONE, SENT_REQUEST, SENT_FAULT, SENT_FOREIGN };

enum entry { ENTRY_SIGNAL, ENTRY_CALL, ENTRY_BIRTH };

/* What the kernel knows of a thread. */
struct task {
	uint64_t mask;	      /* of blocked signals */
	uint64_t instruction; /* where the thread is, as a handler's context shows it */
	uint64_t sleeps_on;   /* the address of a futex, or 0 */
	void *jump[5];	      /* RUNS: of __builtin_setjmp(); the third is the stack pointer */
	const char *doing;    /* the function that makes the next step */
	int32_t id;
	uint8_t place, event, pending, entry;
	uint8_t ways; /* how many ways the next step may go */
	bool alive, exited, began, dispatch, our_stack;
	bool blocks;	   /* SIGSYS: what the program wants */
	bool page;	   /* the lowest one of its block has memory, as after its last return */
	bool must_deliver; /* on the way out of the kernel, where no pending signal is passed by */
	bool changed;	/* EVENT_JOIN: the futex has another value, so the call returns at once */
	bool has_taken; /* a lock, and made no step since */
	bool looks_again, stale; /* goes on when something has changed; something has */
};

struct machine {
	uint64_t restored; /* signals whose handler in the kernel is the program's */
	int owed; /* signals that were sent from outside, and that nothing has come of yet */
	int32_t next_id;
	uint8_t left[EVENTS];
	bool reads_are_steps, revealed, filter, replaced, forked;
	bool deaths; /* some thread may be killed: only then may a wait need its time limit */
	struct task tasks[THREADS];
};

extern struct machine machine;

struct scenario {
	const char *name;
	bool reads_are_steps; /* of shared words; writes and system calls always are */
	uint8_t first;	      /* not 0: the first thread of the process has exited */
	uint8_t threads;      /* those that exist at the beginning are before this one */
	uint8_t events[EVENTS];
};

/* machine.c */
extern unsigned self; /* the thread that makes a step */
struct thread *machine_thread(unsigned task);
void machine_prepare(void);
void machine_begin(const struct scenario *scenario);

/* What must not happen has happened in this step. The second returns that, once, or NULL. */
void machine_wrong(const char *what);
const char *machine_wrong_now(void);

/* Other threads may go on here. Returns which way the thread goes then, of so many. */
unsigned machine_choose(const char *doing, unsigned ways);

/* The thread, which is not in resident code, begins there, or would when it runs next. */
void machine_enter(unsigned task, enum entry entry);

/* The thread goes on until its next step; `way` or a signal, which is given to it. */
#define WAY_SIGNAL 255
void machine_resume(unsigned task, unsigned way);

/* The thread leaves resident code. */
_Noreturn void machine_leave(enum spot place);

/* A task dies, with the signals that it was sent. */
void machine_bury(unsigned task);

siginfo_t machine_info(enum sent sent);

bool task_goes_on(const struct task *task);
bool task_is_given_signal(const struct task *task);

/* A state that can be gone back to. Returns its length; `to` may be NULL. */
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

/* rules.c: what is wrong with the state by itself, or NULL. */
const char *rules_wrong(void);
/* Whether every thread is where the program may let it stay for ever. */
bool rules_is_final(void);
bool rules_has_to_leave(unsigned task);
/* A step of states.def, except those to FREE, that no scenario has made; NULL if there is none. */
const char *rules_step_not_made(void);

/* search.c: all states that can be reached, shortest ways first. */
struct result {
	unsigned states;
	const char *wrong; /* NULL: nothing */
};
/* `prints`: a way to what is wrong is written to standard error. */
struct result search(const struct scenario *scenario, bool prints);
