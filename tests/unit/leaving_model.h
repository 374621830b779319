/*
 * How the threads of a process leave lazy paging, as a model: states.c, leave.c, signal_handlers.c,
 * signal_managed.c, exec.c and processes.c cut into steps, between each two of which
 * another thread or a signal may come. A nested handler of ours, which notes a signal and returns,
 * is one step.
 *
 * A signal is a SIGSEGV sent to one thread: of it alone the kernel keeps one and drops the next.
 */
#pragma once

#include "loader/resident/threads/thread.h"

#include <stdbool.h>
#include <stdint.h>

#define MODEL_THREADS 3

/* What the program does, each so often as a scenario says. Sent signals come from somebody outside.
 */
enum model_event {
	EVENT_TOUCH,  /* a hidden page */
	EVENT_CALL,   /* a short call, in the gadget */
	EVENT_WAIT,   /* a call that sleeps in the gadget */
	EVENT_WAKE,   /* of such a call */
	EVENT_END,    /* a call that ends lazy paging */
	EVENT_JOIN,   /* the same: a wait on a futex until another thread wakes this one */
	EVENT_FILTER, /* a filter of system calls for all threads */
	EVENT_MILD,   /* the same, but it allows all that the handlers of ours do */
	EVENT_NATIVE, /* a filter, by a thread that has left before */
	EVENT_EXIT,
	EVENT_EXEC,
	EVENT_CLONE,
	EVENT_FORK,
	EVENT_DEATH, /* without notice, in a call or before the thread begins */
	EVENT_KILL,  /* the same while the thread leaves, with the lock most often */
	EVENT_SIGNAL,
	EVENTS
};

/* Repairs that can be taken out; test_leaving.c says which race each ends. */
enum model_mutation {
	MUTATION_NONE,
	NO_LOOK_AFTER_FAULT,
	NO_RESTART_OF_RETURN,
	ASKS_AFTER_RELEASE,
	NO_TAKING_BACK,
	BORN_NOT_WAITED_FOR,
	BORN_NOT_NAMED,
	ASKS_EXECS,
	EXIT_DOES_NOT_LEAVE,
	FORK_KEEPS_BLOCKS,
	DEAD_NOT_BURIED,
	NO_BARRIER,
	DEFERRED_KEPT,
	FILTER_DOES_NOT_WAIT,
	BEGAN_DOES_NOT_WAIT,
	MAIN_DOES_NOT_WAIT,
	SLEEPER_GOES_LAST,
	SLEEPER_DOES_NOT_LOOK,
	WAITS_FOR_STATES_ONLY,
	PAGE_NOT_EMPTIED,
	FILTERS_WAIT_FOR_EACH_OTHER,
	EXIT_GOES_FIRST,
	ASKS_ONCE,
	FINISHES_ONCE,
};

enum model_signal { SIGNAL_NONE, SIGNAL_REQUEST, SIGNAL_FAULT, SIGNAL_FOREIGN };

struct model_thread {
	uint8_t state;	 /* enum thread_state */
	uint8_t place;	 /* of enum place: what it does next */
	uint8_t resume;	 /* where the handler's return leads */
	uint8_t call;	 /* enum model_event */
	uint8_t pending; /* enum model_signal */
	uint8_t visited; /* threads, by the one that asks */
	uint8_t turn;	 /* enum leaving_turn */
	bool alive, fault_blocked, sys_blocked, dispatch, selector, our_stack;
	bool news, deferred, began, leaves_natively;
	bool awaited;
	bool page;	   /* the lowest one of its block has memory, as after its last return */
	bool named;	   /* by its parent, or from the beginning */
	bool must_deliver; /* on the way out of the kernel, where no pending signal is passed by */
};

struct model {
	unsigned sent, handled;
	struct model_thread threads[MODEL_THREADS];
	uint8_t process; /* enum process_state */
	uint8_t lock;	 /* 1 + its holder */
	uint8_t left[EVENTS];
	bool revealed, filter, replaced, restored, asked;
	uint8_t unused[2];
};

_Static_assert(sizeof(struct model) ==
		   2 * sizeof(unsigned) + MODEL_THREADS * sizeof(struct model_thread) + EVENTS + 9,
	       "without padding, for states are compared byte by byte");

struct model_scenario {
	const char *name;
	uint8_t threads; /* that there are at the beginning */
	uint8_t events[EVENTS];
};

/* One step: of which thread, and what becomes of it. `is_event`: it is the program's choice. */
struct model_step {
	struct model after;
	const char *words;
	const char *wrong; /* what must not happen, or NULL */
	uint8_t thread;
	bool is_event;
};

#define MODEL_STEPS_MAX 64

/* For the two sources of the model: places that one leads to from the other, and their tools. */
enum place {
#define PLACE(name, words) AT_##name,
#include "tests/unit/leaving_places.def"
};

struct model_next {
	const struct model *now;
	enum model_mutation mutation;
	unsigned thread;
	struct model_step *steps;
	unsigned count;
};

/* One more thing that can happen, by the caller's thread: it is a copy of the state now. */
struct model_step *model_step(struct model_next *next, const char *words);
struct model_step *model_go_on_at(struct model_next *next, enum place place);
struct model_thread *model_me(struct model_step *step);

/* The thread's word changes, by a step of states.def. */
void model_change(struct model_step *step, unsigned thread, enum thread_state to, const char *by);

/* Whether a thread's state is one of those that who leaves waits for. */
bool model_has_to_leave(const struct model_thread *thread);

/* Whether a thread of the process has to. */
bool model_some_have_to_leave(const struct model *model, enum model_mutation mutation);

/* Nobody holds the process's lock, or one who is dead. */
bool model_lock_is_free(const struct model *model);

/* The thread has made a system call of ours, not of the program. */
void model_system_call(struct model_step *step);

/* The thread may be killed here without notice: by an inherited filter, or with its own thread
 * group. */
void model_die(struct model_next *next, enum model_event event);

void model_run_handler(struct model_next *next, enum place place);
void model_run_leave(struct model_next *next, enum place place);
void model_run_program(struct model_next *next, enum place place);

struct model model_begin(const struct model_scenario *scenario);

/* Writes what can happen next, and returns how much that is. */
unsigned model_next(const struct model *model, enum model_mutation mutation,
		    struct model_step steps[MODEL_STEPS_MAX]);

/* What is wrong with a state by itself, or NULL. */
const char *model_wrong(const struct model *model);

/* Whether every thread is where the program may let it stay for ever. */
bool model_is_final(const struct model *model);

/* Whether all steps of states.def have been taken, but those into FREE; writes the first that was
 * not. */
bool model_took_all_steps(const char **missing);

void model_print(const struct model *model);
