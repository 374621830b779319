/*
 * The guard intercepts the program's system calls by Syscall User Dispatch (Linux 5.11), which
 * raises SIGSYS. The guard makes the memory present that the arguments point to. Then the gadget
 * makes the call, outside the handler, so that signals can interrupt it as usual.
 */
#pragma once

#include "loader/resident/arch/signal_frame.h"
#include "loader/resident/base/order.h"
#include "loader/resident/pager/regions.h"
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
	bool reports;	       /* --explain: a handler has to see which access kills the program */
	uint64_t limit;	       /* number of calls after which lazy paging ends; or GUARD_AUTO,
				  GUARD_NEVER */
	char *executable;      /* path of the program's file: PATH_BYTES bytes, zero-filled */
};

#define GUARD_AUTO  (UINT64_MAX - 1)
#define GUARD_NEVER UINT64_MAX

extern struct guard resident_guard;

/*
 * What the guard does about calls: the first mode that is true. docs/design.md has them as a table.
 * No thread writes the mode. It follows from words that do not change after the launch, and from
 * the end of lazy paging, which also ends --order. So a guard only goes down in this list.
 */
enum guard_mode {
	MODE_LAZY,    /* pages were hidden, and lazy paging has not ended */
	MODE_ANSWERS, /* names_executable, or --order: a thread leaves only before a call that
			 cannot be made under dispatch, or that changes text with breakpoints */
	MODE_REPORTS, /* `reports`: a thread leaves before a call that makes something end */
	MODE_LEAVES,  /* a thread leaves before its next call */
};

/* The mode when lazy paging has ended. Inline, because the guard's code may be left out. */
static inline enum guard_mode guard_mode_at_rest(void)
{
	if (resident_guard.names_executable || order_is_active())
		return MODE_ANSWERS;
	return resident_guard.reports ? MODE_REPORTS : MODE_LEAVES;
}

static inline enum guard_mode guard_mode(void)
{
	if (resident_guard.pages_hidden &&
	    __atomic_load_n(&resident_pager.retired, __ATOMIC_ACQUIRE) == RETIRE_NOT)
		return MODE_LAZY;
	return guard_mode_at_rest();
}

/*
 * Ends lazy paging, and lets the program make the call itself. Used for a call that is not 64-bit,
 * and for one that the program single-steps: the program would notice more than one instruction
 * there.
 */
void guard_leave(struct thread *thread, struct kernel_context *context);

/*
 * Handles a system call of the program. Called in the handler of SIGSYS. Returns false if the call
 * is a return from a handler whose frame cannot be read.
 */
bool guard_call(struct thread *thread, struct kernel_context *context);
