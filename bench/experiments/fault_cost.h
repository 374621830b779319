/*
 * Shared by the files of fault_cost: one page by every mechanism that a lazy pager in user space
 * could use, and one system call by every way of intercepting it.
 */
#pragma once

#include "bench/experiments/results.h"

#include <stdint.h>
#include <sys/types.h>

#define PAGES_TABLE "one page, by every mechanism"
#define CALLS_TABLE "one system call (getppid), by every way of intercepting it"

/* Columns and rows that the verdict reads. */
enum fault_cost_column { ONE_AT_A_TIME, SIXTEEN_AT_A_TIME, MANY_AT_A_TIME, MOST_AT_A_TIME };

#define ROW_KERNEL	    "kernel demand-zero"
#define ROW_SIGNAL	    "SIGSEGV alone"
#define ROW_MMAP	    "SIGSEGV + mmap(MAP_FIXED)"
#define ROW_MMAP_POPULATE   "SIGSEGV + mmap + populate"
#define ROW_MPROTECT	    "SIGSEGV + mprotect"
#define ROW_PERMIT_POPULATE "SIGSEGV + mprotect + populate"
#define ROW_GUARD	    "SIGSEGV + MADV_GUARD_REMOVE"
#define ROW_GUARD_POPULATE  "SIGSEGV + MADV_GUARD_REMOVE + populate"
#define ROW_UFFD_SIGBUS	    "userfaultfd SIGBUS + UFFDIO_COPY"
#define ROW_UFFD_THREAD	    "userfaultfd thread + UFFDIO_COPY"
#define ROW_UFFD_ONE_CPU    "userfaultfd thread, both on one CPU"

#define ROW_PLAIN	     "none"
#define ROW_ALLOWED_SELECTOR "dispatch armed, selector allows"
#define ROW_ALLOWED_RANGE    "dispatch armed, address allowed"
#define ROW_DISPATCHED	     "dispatched, SIGSYS handler calls"

/* ---- pages --------------------------------------------------------------------------------- */

/* The most pages that come at once; settings.bytes is a multiple of it. */
#define MOST_PAGES 256

/* Which process or thread brings pages in. */
enum page_server { BY_TOUCH, BY_LOOP, BY_SIGSEGV, BY_SIGBUS, BY_THREAD };

/* One mechanism. Both functions return false with errno set. */
struct page_way {
	/* Makes readable and writable fresh memory what it has to be before it is touched. */
	bool (*hide)(const struct settings *settings, uint8_t *area);
	/* Lets the program have these pages. NULL: the handler skips the instruction instead. */
	bool (*reveal)(uint8_t *start, size_t bytes);
	enum page_server server;
	bool populate;	      /* MADV_POPULATE_WRITE follows at once */
	bool huge;	      /* of 2 MiB pages */
	bool one_cpu;	      /* for the handler's thread, too */
	const char *no_batch; /* why there is nothing but one page at a time */
};

/* The parameter is a page_way. */
row_measure fault_cost_pages;

/* Serves a fault at this address. For the handler and the handler's thread. */
void fault_cost_serve(uint8_t *address);

bool hide_not(const struct settings *settings, uint8_t *area);
bool hide_file(const struct settings *settings, uint8_t *area);
bool hide_huge(const struct settings *settings, uint8_t *area);
bool hide_forbid(const struct settings *settings, uint8_t *area);
bool hide_forbid_joined(const struct settings *settings, uint8_t *area);
bool hide_guard(const struct settings *settings, uint8_t *area);
bool hide_uffd_sigbus(const struct settings *settings, uint8_t *area);
bool hide_uffd_thread(const struct settings *settings, uint8_t *area);

bool reveal_populate(uint8_t *start, size_t bytes);
bool reveal_mmap(uint8_t *start, size_t bytes);
bool reveal_mprotect(uint8_t *start, size_t bytes);
bool reveal_guard(uint8_t *start, size_t bytes);
bool reveal_copy(uint8_t *start, size_t bytes);

/* ---- system calls -------------------------------------------------------------------------- */

typedef long system_call(long number, long a, long b, long c, long d, long e, long f);

/* Two copies of the same code. Dispatch and filters let calls from the second one pass. */
system_call plain_call, allowed_call;
extern const uint8_t allowed_begin[], allowed_end[]; /* around the second one */
extern const uint8_t allowed_call_return[];	     /* where the kernel returns to inside it */

/* Dispatch reads it at every call: 0 allows the call, 1 makes it a signal. */
extern volatile uint8_t dispatch_selector;

struct call_way {
	system_call *call; /* NULL: plain_call */
	/* From then on calls are intercepted. Ends the child when that is not possible. */
	void (*arm)(const struct call_way *way);
	size_t calls;		/* that are timed */
	uint16_t instructions;	/* of a filter that allows */
	bool looks_at_argument; /* and not at the number only */
	bool one_cpu;		/* also for the process that answers */
};

/* The parameter is a call_way. */
row_measure fault_cost_calls;

/* Makes the calls and checks what comes back. */
void fault_cost_call_loop(system_call *call, size_t calls, pid_t expected);

/* A SIGSYS handler that makes the call and returns its result. */
void fault_cost_catch_sigsys(void);

void arm_nothing(const struct call_way *way);
void arm_selector(const struct call_way *way);
void arm_blocking(const struct call_way *way);
void arm_filter_allow(const struct call_way *way);
void arm_filter_trap(const struct call_way *way);
void arm_filter_notify(const struct call_way *way);

struct traced_way {
	bool emulate; /* PTRACE_SYSEMU: one stop, and the tracer gives the result */
	bool one_cpu; /* for both processes */
	size_t calls;
};

/* The parameter is a traced_way. */
row_measure fault_cost_traced;

/* ---- verdict ------------------------------------------------------------------------------- */

void fault_cost_verdict(const struct results *results, FILE *out);
