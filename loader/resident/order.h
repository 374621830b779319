/*
 * --order: the functions of one ELF file in the order of their first call.
 *
 * Host code makes a copy of the file's text in memory, with INT3 at the first byte of each
 * function, and maps it twice: where the program executes it, private and not writable, and
 * elsewhere as the only writable one, the alias. The kernel raises SIGTRAP at an INT3. Then the
 * function gets its rank, its first byte is put back through the alias by one store, and the
 * thread goes on at the same address. No lock is taken: two threads that find the same INT3 store
 * the same byte.
 *
 * Forked processes have the same copy and the same ranks: each function is noted once, by the
 * process that is the first to call it.
 */
#ifndef LOADER_RESIDENT_ORDER_H
#define LOADER_RESIDENT_ORDER_H

#include "loader/resident/arch/signal_frame.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Mappings of text that one file may have; of further ones the functions are not noted. */
#define ORDER_TEXTS_MAX 8

/* What the loader that waits reads: shared, and never larger than when it was made. */
struct order_ranks {
	uint32_t last;	/* the rank that was given last */
	uint32_t ended; /* enum retire_reason: why the first process stopped noting; 0: none has */
	int64_t call;	/* before which system call that was */
	uint32_t ranks[]; /* of each function; 0: it has not been called */
};

/* A mapping of text. */
struct order_text {
	uint64_t start, end; /* where the program executes it */
	uint64_t alias;	     /* of the same length, writable */
	int protection;
	uint32_t first, count; /* its functions: their places in `starts`, by their addresses */
};

struct order {
	bool active;
	unsigned text_count;
	struct order_text texts[ORDER_TEXTS_MAX];
	const uint32_t *starts;	  /* of each function: bytes from the start of its text */
	const uint8_t *originals; /* the first byte of each */
	struct order_ranks *shared;
};

extern struct order resident_order;

/* Whether first calls are noted: SIGTRAP is managed, and system calls have to come to us. */
static inline bool order_is_active(void)
{
	return resident_order.active;
}

/*
 * A SIGTRAP. If it comes from an INT3 of ours, or if one was executed while it was on its way, the
 * registers say afterwards that the program is about to execute the function. True if the signal
 * is about nothing else. Async-signal-safe.
 */
bool order_serve(const siginfo_t *info, struct kernel_registers *registers);

/*
 * Notes nothing from here on in this process: its text becomes a copy of its own, without INT3.
 * `reason` and `call` are those of laziness_end(). Async-signal-safe; any thread may call it,
 * several at a time.
 */
void order_end(uint32_t reason, long call);

/* Whether a system call may change a mapping of resident_order. */
bool order_changes(const struct kernel_registers *registers);

/* Whether a system call may change text in which there are INT3. */
static inline bool order_is_changed(const struct kernel_registers *registers)
{
	return order_is_active() && order_changes(registers);
}

#endif
