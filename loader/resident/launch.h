/*
 * The launch: unmaps the loader, puts the program's stack in place, and jumps to its entry point.
 *
 * Host code fills in resident_launch and calls entry_depart(), which never returns. From then
 * on only resident code runs: it lives in pages of its own, so that all other pages of the loader
 * can be unmapped under it.
 */
#ifndef LOADER_RESIDENT_LAUNCH_H
#define LOADER_RESIDENT_LAUNCH_H

#include "common/kernel_abi.h"
#include "common/process_stack.h"

#include <stdbool.h>
#include <stdint.h>

struct address_range {
	uint64_t start, end; /* page aligned; end is exclusive */
};

#define LAUNCH_RANGES_MAX 4

/* The first thread's block: where handlers run. */
struct launch_thread {
	struct thread *thread;	   /* NULL: no page is hidden, nothing guarded */
	struct address_range area; /* that is unmapped if no handler is needed; or empty */
};

/* A word of the program's stack that the interpreter reads otherwise than the program. */
struct launch_word {
	uint64_t *at; /* NULL in the last row, whose for_program is the program's entry */
	uint64_t for_interpreter, for_program;
};

struct launch {
	uint64_t entry;
	uint64_t stack_pointer;
	struct address_range loader;	 /* what the departure stub unmaps */
	const struct stack_image *stack; /* the program's, */
	const uint8_t *stack_bytes;	 /* and what was written of it */
	const struct launch_word *words; /* written for the interpreter; NULL: none */
	uint64_t stack_used; /* the lowest address that the loader's own stack has reached */
	unsigned range_count;
	struct address_range unmap[LAUNCH_RANGES_MAX]; /* of the loader, no longer needed */
	struct address_range file; /* what is mapped of the loader's file, unmapped after `unmap` */
	/* Resident code that is there only, NULL once it is unmapped; and where it would run. */
	const uint8_t *left_out;
	uint64_t left_out_to;
	struct address_range area; /* resident memory */
	struct address_range heap; /* of glibc, thread-local storage included; empty with musl */
	uint64_t departure_stub; /* its address in the program's own text; 0: resident code stays */
	struct kernel_mm_map identity;
	int executable;	       /* descriptor for /proc/self/exe; -1: none */
	bool executable_stays; /* open: program_file_close() */
	bool asks_child;       /* to change that takes a privilege, which a child can have */
	bool has_interpreter;  /* so its libraries may ask for that, whatever it does itself */
	uint64_t signal_mask;  /* the program's */
	struct launch_thread first;
	bool pauses;	/* waits for a debugger at the end of the launch */
	bool verbose;	/* say on standard error what could not be done */
	char name[128]; /* begins those messages: `LOADER: PROGRAM: ` */
};

extern struct launch resident_launch;

/*
 * The last C function of the loader, and where entry.S finds it: the host fills that in. Returns
 * the address of the departure stub, or 0 if resident code stays; entry.S does the rest.
 */
uint64_t launch_program(void);
extern uint64_t (*launch_function)(void);

/*
 * Leaves the loader: switches to resident code's own stack, gives up the host's memory, takes on
 * the program's identity and jumps. The one call after which nothing can fail.
 */
_Noreturn void entry_depart(void);

/*
 * The stub that removes the loader's last pages (entry.S): position-independent but for the
 * 32-bit displacement of its last instruction, a jump to the program's entry.
 */
extern const uint8_t entry_departure_stub[], entry_departure_stub_end[];

/*
 * pause.c, for --pause: right before the program's first instruction, writes `name` and the process
 * ID to standard error, and waits until a debugger has attached or SIGCONT is sent, which it
 * consumes. Blocks SIGCONT for the calling thread.
 */
void pause_for_debugger(const char *name);

/* Restores the words of a table that follows it, and jumps to the program (entry.S). */
extern const uint8_t entry_restore_words[], entry_restore_words_end[];

/*
 * Resident memory: whole pages at the end of the loader's .bss, zeroed data first, text and
 * constants after it. The text is empty until resident_image has been copied there.
 */
extern uint8_t resident_area[], resident_area_text[], resident_area_end[];
extern const uint8_t resident_image[], resident_image_end[];

/*
 * Where its parts end: what every launch needs; pager and guard. After them comes what watches: for
 * --trace, --explain, --verify and --pause.
 */
extern uint8_t resident_launch_end[], resident_guard_end[];

#endif
