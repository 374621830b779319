/*
 * The guard: system calls of the program come to us first, by Syscall User Dispatch (Linux 5.11),
 * as SIGSYS. What they are given the addresses of is made present, and then the call is made: by
 * the gadget, outside the handler, so that it can be interrupted as usual.
 */
#ifndef LOADER_RESIDENT_CALLS_GUARD_H
#define LOADER_RESIDENT_CALLS_GUARD_H

#include "loader/resident/arch/signal_frame.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>
#include <stdint.h>

#define PATH_BYTES 4096

struct guard {
	bool active;
	bool names_executable; /* /proc/self/exe is ours and the program asks for its own */
	bool pages_hidden;     /* when the program started */
	bool program_marks;    /* it has used guard markers itself */
	bool stays;	/* after the end of lazy paging, too: somebody wants to know how it ends */
	uint64_t limit; /* system calls after which lazy paging ends; GUARD_AUTO, GUARD_NEVER */
	char *executable; /* path of the program's file; PATH_BYTES, zeroed */
};

#define GUARD_AUTO  (UINT64_MAX - 1)
#define GUARD_NEVER UINT64_MAX

extern struct guard resident_guard;

/*
 * Lazy paging ends, and the program makes the call itself: one that is not of 64-bit code, or
 * that is made step by step, where more than one instruction in its place would be noticed.
 * `turn`: as for leave().
 */
void guard_leave(struct thread *thread, struct kernel_context *context, enum leaving_turn turn);

/* A system call of the program, in the handler of SIGSYS. */
void guard_call(struct thread *thread, struct kernel_context *context);

#endif
