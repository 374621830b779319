/*
 * The trace: events after the jump, in a ring of shared memory. Every thread and every forked
 * process of the program writes to the ring; the waiting loader reads it.
 *
 * A writer takes a turn, fills the ring's event with that number, and publishes the event by
 * storing the turn. There are no locks: a writer that is killed in between leaves a hole. The
 * reader skips the hole after a while and counts it as lost.
 */
#pragma once

#include "loader/resident/arch/call.h"
#include "loader/resident/arch/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trace_kind {
#define KIND(name, word, asked_by) TRACE_##name,
#include "loader/resident/base/trace_kinds.def"
	TRACE_KINDS
};

/* The processor reports no address for an access where no page can be, from 0x800000000000 on. */
enum trace_access { TRACE_READ, TRACE_WRITE, TRACE_EXECUTE, TRACE_NO_ADDRESS };

/* How many arguments of a call are copied as text, and how many bytes of each. */
#define TRACE_TEXTS	 2
#define TRACE_TEXT_BYTES 72
#define TRACE_UNREADABLE 255

struct trace_event {
	uint64_t turn;	      /* 1 for the first event of all; stored last */
	uint64_t time;	      /* CLOCK_MONOTONIC, ns */
	uint64_t address;     /* the address that the event concerns; 0: none */
	uint64_t instruction; /* address of the program's instruction; 0: unknown */
	uint64_t pages;
	int32_t process, thread; /* IDs of the writer */
	uint32_t kind;
	int32_t detail;
	uint64_t arguments[6]; /* of a call; for TRACE_RETIRE, [0] is the call's number */
	/*
	 * The text of some arguments, without NUL. A length of TRACE_UNREADABLE: the text could not
	 * be read.
	 */
	char texts[TRACE_TEXTS][TRACE_TEXT_BYTES];
	uint8_t text_bytes[TRACE_TEXTS];
} __attribute__((aligned(64)));

/*
 * The ring has 16 MiB; pages that have never been written cost no memory. The reader checks every 5
 * ms, and a writer takes longer than 100 ns for an event.
 */
#define TRACE_EVENTS (UINT64_C(1) << 16)

/*
 * Bits of trace.texts. TRACE_TEXT_ARGUMENT: the number of the argument that is text, from 1 on; 0
 * for none. TRACE_TEXT_COUNTED: the next argument is the text's length in bytes; otherwise a NUL
 * ends the text.
 */
#define TRACE_TEXT_ARGUMENT 7
#define TRACE_TEXT_COUNTED  8
#define TRACE_CALLS	    512

struct trace {
	uint64_t begun;	 /* turns taken by writers */
	uint64_t taken;	 /* turns that the reader has read */
	uint64_t lost;	 /* events that found the ring full */
	uint32_t news;	 /* futex: in step, the reader waits for it to change */
	uint32_t read;	 /* futex: in step, writers wait for it to change */
	uint32_t reader; /* a robust futex: the kernel clears its owner when the reader ends; 0:
			    no reader any more */
	uint32_t kinds;	 /* which kinds are written: a bit for each enum trace_kind */
	bool in_step;	 /* each writer waits until its event has been read */
	uint8_t texts[TRACE_CALLS][TRACE_TEXTS];
	struct trace_event events[TRACE_EVENTS];
};

extern struct trace *resident_trace; /* NULL: no trace */

/* Writes an event. Async-signal-safe; to be called only if there is a ring. */
void trace_write(enum trace_kind kind, int detail, uint64_t address, uint64_t pages,
		 uint64_t instruction);

/* The last call of a thread that was traced. */
struct traced_call {
	uint64_t number;
	bool open; /* its result has not been written yet */
};

/*
 * Writes the result of the thread's last call, which the gadget does not report. Then writes the
 * thread's next call. An argument that ring->texts marks as text is written as text.
 * Hidden pages may be revealed on the way, so the caller must not hold pager.lock. `pages`: those
 * that were revealed for the call. Async-signal-safe; to be called only if there is a ring.
 */
void trace_call(struct traced_call *last, uint64_t result, const struct call *call, uint64_t pages);

/*
 * Writes an access: TRACE_FAULT or TRACE_FATAL. Async-signal-safe; to be called only if there is a
 * ring.
 */
void trace_write_fault(enum trace_kind kind, const struct fault *fault);

/*
 * Writes that lazy paging ends, for which reason and before which call. Async-signal-safe; to be
 * called only if there is a ring.
 */
void trace_retire(int reason, long call, uint64_t pages);

static inline void trace(enum trace_kind kind, int detail, uint64_t address, uint64_t pages,
			 uint64_t instruction)
{
	if (__builtin_expect(resident_trace != NULL, 0))
		trace_write(kind, detail, address, pages, instruction);
}

static inline void trace_fault(enum trace_kind kind, const struct fault *fault)
{
	if (__builtin_expect(resident_trace != NULL, 0))
		trace_write_fault(kind, fault);
}
