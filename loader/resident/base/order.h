/*
 * --order: ranks the functions of one ELF file in the order of their first call.
 *
 * Host code makes a copy of the file's text in memory, with breakpoints at the first byte of each
 * function, and maps it twice. The program executes one mapping, which is private and not writable.
 * The other, the alias, is the only writable one. The kernel raises SIGTRAP at a breakpoint. Then
 * the function gets its rank, one store through the alias restores its first byte, and the thread
 * continues at the same address. No lock is taken: two threads that find the same breakpoint store
 * the same byte.
 *
 * Forked processes have the same copy and the same ranks. Each function is recorded once, by the
 * process that calls it first.
 */
#pragma once

#include "common/arch/breakpoint.h"
#include "loader/resident/arch/call.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Mappings of text that one file may have; functions in further mappings are not recorded. */
#define ORDER_TEXTS_MAX 8

/* Shared memory that the waiting loader reads. It never grows. */
struct order_ranks {
	uint32_t last;	  /* the rank that was given last */
	uint32_t ended;	  /* enum retire_reason: why the first process stopped recording; 0: none
			     has */
	int64_t call;	  /* the system call before which that happened */
	uint32_t execs;	  /* how many threads of the first process are inside execve */
	uint32_t ranks[]; /* of each function; 0: it has not been called */
};

/* A mapping of text. */
struct order_text {
	uint64_t start, end; /* where the program executes it */
	uint64_t alias;	     /* address of the writable mapping, of the same length */
	int protection;
	uint32_t first, count; /* its functions: a range of indexes into `starts`, by address */
	/*
	 * For the text of a library, which the program maps: which part of which file it is. `copy`
	 * is where the copy with breakpoints is mapped before it takes the place of that part.
	 */
	uint64_t device, inode, offset, length, copy;
};

struct order {
	bool active;
	unsigned text_count;
	struct order_text texts[ORDER_TEXTS_MAX];
	const uint32_t *starts;		  /* of each function: bytes from the start of its text */
	const BREAKPOINT_WORD *originals; /* what the breakpoint of each function replaces */
	struct order_ranks *shared;
	uint64_t copy_distance; /* order_copies.c: from text to the copy that was executed last */
	int library;	 /* its descriptor, until the program begins; 0: the program's own text */
	int32_t process; /* the first process */
};

extern struct order resident_order;

/* Whether first calls are recorded. Then SIGTRAP is managed, and system calls are intercepted. */
static inline bool order_is_active(void)
{
	return resident_order.active;
}

/*
 * Serves a SIGTRAP. It may come from a breakpoint of the loader, or a breakpoint may have been
 * executed while a sent SIGTRAP was on its way. In both cases the program executes the function
 * after the return. Returns true if the signal had no other cause. Async-signal-safe.
 */
bool order_serve(const siginfo_t *info, struct kernel_registers *registers);

/* The index of the function that starts exactly at an address. UINT32_MAX: there is none. */
uint32_t order_find_function(const struct order_text *text, uint64_t address);

/* Gives a function its rank, if it has none. Async-signal-safe. */
void order_note(uint32_t function);

/*
 * order_copies.c: the same as order_serve() for a breakpoint outside of the texts. A program may
 * execute a copy of its own text, as V8 does with its builtins, and has copied breakpoints too.
 * Returns false if the bytes next to the breakpoint are not those of a function: the breakpoint is
 * the program's own.
 */
bool order_serve_copy(uint64_t address, struct kernel_registers *registers);

/*
 * Stops recording in this process: its text becomes a private copy without breakpoints. `reason`
 * and `call` are those of laziness_end(). Async-signal-safe; several threads may call it at a time.
 */
void order_end(uint32_t reason, long call);

/*
 * A thread of a process begins execve (1), or its execve has failed (-1): execve does not return if
 * it succeeds.
 */
static inline void order_count_exec(int32_t process, int32_t change)
{
	if (order_is_active() && process == resident_order.process)
		__atomic_add_fetch(&resident_order.shared->execs, (uint32_t)change,
				   __ATOMIC_RELAXED);
}

/* Without an order, the code of the next two functions is not in memory: ask order_is_active(). */

/*
 * Makes a system call that maps the text of a library in resident_order, and puts the copy in its
 * place. Returns false, with nothing done, for every other call.
 */
bool order_makes(const struct call *call, long *result);

/* Whether a system call may change text that contains breakpoints. */
bool order_changes(const struct call *call);
