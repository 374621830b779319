/* What is known about each system call: system_calls.def as a table. Pure; async-signal-safe. */
#ifndef LOADER_RESIDENT_SYSTEM_CALLS_H
#define LOADER_RESIDENT_SYSTEM_CALLS_H

#include <stdint.h>

#define CALL_ARGUMENTS 6

/* The letters of system_calls.def. */
enum argument {
	ARGUMENT_V,
	ARGUMENT_P,
	ARGUMENT_B,
	ARGUMENT_A,
	ARGUMENT_U,
	ARGUMENT_S,
	ARGUMENT_I,
	ARGUMENT_M,
	ARGUMENT_N,
	ARGUMENT_W,
	ARGUMENT_X,
};

enum call_action {
	CALL_RETIRE,   /* end lazy paging first: unknown, or the kernel works on its own */
	CALL_LEAVE,    /* the same, and nothing of ours may come between it and the kernel */
	CALL_ORDINARY, /* arguments present, then made as it is */
	CALL_SLEEP,    /* the same, and may wait for somebody */
	CALL_SIGNALS,  /* answered here */
	CALL_SIGRETURN,
	CALL_TEMPORARY_MASK, /* puts a signal mask in force while it waits */
	CALL_CLONE,	     /* a new process or thread */
	CALL_EXEC,
	CALL_EXIT, /* of one thread */
	CALL_MADVISE,
	CALL_SIGNAL_WAIT, /* takes signals that are blocked */
	CALL_OPEN,	  /* might look at us in /proc */
	CALL_LIMITS,	  /* might forbid the memory that pages are brought in with */
	CALL_PRCTL,	  /* and arch_prctl */
	CALL_KEYS,	  /* begins to use protection keys */
};

struct system_call {
	uint8_t action;			   /* enum call_action */
	uint8_t arguments[CALL_ARGUMENTS]; /* enum argument */
};

/* Of any number; CALL_RETIRE and nothing about arguments if it is not in the table. */
struct system_call system_call_of(uint64_t number);

#endif
