/* What is known about each system call: system_calls.def as a table. Pure; async-signal-safe. */
#pragma once

#include <stdint.h>

/* The letters of system_calls.def, which explains them. */
enum argument {
	ARGUMENT_V,
	ARGUMENT_F,
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

/* actions.def explains them. */
enum call_action {
#define ACTION(name, ...) CALL_##name,
#include "loader/resident/calls/actions.def"
};

/* Four bytes, because each page of resident code has a cost at each start. */
struct system_call {
	uint32_t action : 8; /* enum call_action */
	uint32_t a : 4, b : 4, c : 4, d : 4, e : 4,
	    f : 4; /* the first to the sixth argument: enum argument */
};

/* The entry of any number. A number outside the table has CALL_RETIRE and no arguments. */
struct system_call system_call_of(uint64_t number);
