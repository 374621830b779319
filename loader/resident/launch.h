/*
 * The launch: unmaps the loader, puts the program's stack in place, and jumps to the program's
 * entry point.
 *
 * Host code fills in resident_launch and calls entry_depart(), which never returns. From then on
 * only resident code runs. It has pages of its own, so that all other pages of the loader can be
 * unmapped.
 */
#pragma once

#include "common/kernel_abi.h"
#include "common/process_stack.h"

#include <stdbool.h>
#include <stdint.h>

struct address_range {
	uint64_t start, end; /* page aligned; end is exclusive */
};

#define LAUNCH_RANGES_MAX 4

/* The first thread's block, on which its handlers run. */
struct launch_thread {
	struct thread *thread;	   /* NULL: no page is hidden, and there is no guard */
	struct address_range area; /* unmapped if no handler is needed; may be empty */
};

/*
 * A word of the program's stack that has one value for the interpreter and another for the program.
 */
struct launch_word {
	uint64_t *at; /* NULL in the last row, whose for_program is the program's entry */
	uint64_t for_interpreter, for_program;
};

struct launch {
	uint64_t entry;
	uint64_t stack_pointer;
	struct address_range loader;	 /* the pages that the departure stub unmaps */
	const struct stack_image *stack; /* layout of the program's stack */
	const uint8_t *stack_bytes;	 /* contents of the program's stack */
	const struct launch_word *words; /* table of words written for the interpreter; NULL:
					    none */
	uint64_t stack_used; /* the lowest address that the loader's own stack has reached */
	unsigned range_count;
	struct address_range unmap[LAUNCH_RANGES_MAX]; /* parts of the loader that are no longer
							  needed */
	struct address_range file; /* mappings of the loader's file, unmapped after `unmap` */
	/*
	 * Resident code that is only in the loader's file; NULL once that file is unmapped.
	 * left_out_to is the address at which the code would run.
	 */
	const uint8_t *left_out;
	uint64_t left_out_to;
	struct address_range area; /* resident memory */
	struct address_range heap; /* glibc's heap, including thread-local storage; empty with
				      musl */
	uint64_t departure_stub; /* its address in the program's own text; 0: resident code stays */
	struct kernel_mm_map identity;
	int executable;	       /* descriptor for /proc/self/exe; -1: none */
	bool executable_stays; /* `executable` stays open: program_file_close() */
	bool asks_child;       /* changing /proc/self/exe needs a privilege, which a child can
				  have */
	bool has_interpreter;  /* the interpreter's libraries may ask for /proc/self/exe,
				  whatever the program does */
	uint64_t signal_mask;  /* the program's signal mask */
	struct launch_thread first;
	bool pauses;	/* wait for a debugger at the end of the launch */
	bool verbose;	/* report on standard error what could not be done */
	char name[128]; /* start of those messages: `LOADER: PROGRAM: ` */
};

extern struct launch resident_launch;

/*
 * The last C function of the loader. entry.S calls it by the pointer launch_function, which host
 * code sets. It returns the address of the departure stub, or 0 if resident code stays; entry.S
 * does the rest.
 */
uint64_t launch_program(void);
extern uint64_t (*launch_function)(void);

/*
 * Leaves the loader: switches to resident code's own stack, unmaps the host's memory, takes on the
 * program's identity and jumps. From this call on nothing returns an error.
 */
_Noreturn void entry_depart(void);

/*
 * The stub that removes the loader's last pages (entry.S). It is copied into the unused end of the
 * program's last text page. It is position-independent, except for the 32-bit displacement of its
 * last instruction, a jump to the program's entry.
 */
extern const uint8_t entry_departure_stub[], entry_departure_stub_end[];

/*
 * pause.c, for --pause: called just before the program's first instruction. It writes `name` and
 * the process ID to standard error. Then it waits until a debugger has attached or SIGCONT is sent,
 * which it consumes. It blocks SIGCONT for the calling thread.
 */
void pause_for_debugger(const char *name);

/*
 * The interpreter jumps here (entry.S), not to the program, if it was given words that the program
 * must not see (struct launch_word). The code is copied to memory of its own, before a table of
 * these words. It restores them and jumps to the program.
 */
extern const uint8_t entry_restore_words[], entry_restore_words_end[];

/*
 * Resident memory: whole pages at the end of the loader's .bss, zeroed data first, then text and
 * constants. The text is empty until resident_image has been copied there.
 */
extern uint8_t resident_area[], resident_area_text[], resident_area_end[];
extern const uint8_t resident_image[], resident_image_end[];

/*
 * Where the parts of resident text end: first the code for every launch, then pager and guard.
 * Behind them is the code for --trace, --explain, --verify and --pause.
 */
extern uint8_t resident_launch_end[], resident_guard_end[];
