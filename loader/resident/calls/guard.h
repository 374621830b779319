/*
 * The guard intercepts the program's system calls by Syscall User Dispatch (Linux 5.11), which
 * raises SIGSYS. The guard makes the memory present that the arguments point to. Then the gadget
 * makes the call, outside the handler, so that signals can interrupt it as usual.
 */
#pragma once

#include "loader/resident/arch/signal_frame.h"
#include "loader/resident/threads/thread.h"

#include <stdbool.h>
#include <stdint.h>

#define PATH_BYTES 4096

struct guard {
	bool active;
	bool names_executable; /* /proc/self/exe names the loader, and the program asks for its
				  own file */
	bool pages_hidden;     /* some page was hidden when the program started */
	bool program_marks;    /* the program has installed guard markers itself */
	bool stays;	  /* the guard continues after the end of lazy paging: a watcher needs to
			     see how the program ends */
	uint64_t limit;	  /* number of calls after which lazy paging ends; or GUARD_AUTO,
			     GUARD_NEVER */
	char *executable; /* path of the program's file: PATH_BYTES bytes, zero-filled */
};

#define GUARD_AUTO  (UINT64_MAX - 1)
#define GUARD_NEVER UINT64_MAX

extern struct guard resident_guard;

/*
 * Ends lazy paging, and lets the program make the call itself. Used for a call that is not 64-bit,
 * and for one that the program single-steps: the program would notice more than one instruction
 * there. `turn`: as for leave().
 */
void guard_leave(struct thread *thread, struct kernel_context *context, enum leaving_turn turn);

/* Handles a system call of the program. Called in the handler of SIGSYS. */
void guard_call(struct thread *thread, struct kernel_context *context);
