/*
 * entry_registers: every register as the program's first instruction finds it. The kernel of x86-64
 * and of arm64 clears the general registers, although the psABIs leave nearly all undefined. It
 * sets flags and the floating-point state to their defaults, and no address of a thread's memory.
 */
#include "../machine/entry_state.h"

__attribute__((used)) static _Noreturn void report(const struct entry_state *state)
{
	struct output output;

	output.length = 0;
	put_state(&output, state);
	put_register(&output, "stack pointer modulo 16", (uintptr_t)&state->argc % 16);
	put_register(&output, "argc", state->argc);
	finish(&output, 0);
}
