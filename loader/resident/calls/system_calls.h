/* What is known about each system call: system_calls.def as a table. Pure; async-signal-safe. */
#ifndef LOADER_RESIDENT_SYSTEM_CALLS_H
#define LOADER_RESIDENT_SYSTEM_CALLS_H

#include <stdint.h>

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
	CALL_SEND,     /* the same, and sends a signal */
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

/* Four bytes, because each page of resident code costs something at each start. */
struct system_call {
	uint32_t action : 8; /* enum call_action */
	uint32_t a : 4, b : 4, c : 4, d : 4, e : 4,
	    f : 4; /* enum argument: of the first to the sixth */
};

/* Of any number; CALL_RETIRE and nothing about arguments if it is not in the table. */
struct system_call system_call_of(uint64_t number);

#endif
