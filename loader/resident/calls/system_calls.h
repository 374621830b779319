/* What is known about each system call: system_calls.def as a table. Pure; async-signal-safe. */
#pragma once

#include <stdint.h>

/* The letters of system_calls.def, which explains them. */
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
	CALL_RETIRE,   /* end lazy paging first: the call is unknown, or the kernel acts on
			  memory by itself */
	CALL_LEAVE,    /* like CALL_RETIRE, and the program must make the call itself */
	CALL_ORDINARY, /* reveal the arguments, then make the call unchanged */
	CALL_SLEEP,    /* like CALL_ORDINARY, and the call may wait for another thread or process */
	CALL_SEND,     /* like CALL_ORDINARY, and the call sends a signal */
	CALL_SIGNALS,  /* answered by signal_call() */
	CALL_SIGRETURN,
	CALL_TEMPORARY_MASK, /* sets a signal mask while it waits */
	CALL_CLONE,	     /* starts a process or thread */
	CALL_EXEC,
	CALL_EXIT, /* ends one thread */
	CALL_MADVISE,
	CALL_SIGNAL_WAIT, /* takes signals that are blocked */
	CALL_OPEN,	  /* may open a file of /proc that shows the loader */
	CALL_LIMITS,	  /* may set a limit on the memory that pages are brought in with */
	CALL_PRCTL,	  /* prctl and arch_prctl */
	CALL_KEYS,	  /* starts to use protection keys */
};

/* Four bytes, because each page of resident code has a cost at each start. */
struct system_call {
	uint32_t action : 8; /* enum call_action */
	uint32_t a : 4, b : 4, c : 4, d : 4, e : 4,
	    f : 4; /* the first to the sixth argument: enum argument */
};

/* The entry of any number. A number outside the table has CALL_RETIRE and no arguments. */
struct system_call system_call_of(uint64_t number);
