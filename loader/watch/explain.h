/*
 * --explain: the loader tells what it reads, decides and does while it loads, and then each fault.
 * The order of the story is in explain.c; how each part is told, in explain_text.c for people and
 * in explain_json.c for programs. Host code.
 */
#ifndef LOADER_WATCH_EXPLAIN_H
#define LOADER_WATCH_EXPLAIN_H

#include "loader/guest.h"
#include "loader/resident/trace.h"
#include "loader/watch/watch.h"

struct narrator {
	void (*parts[STORY_PARTS])(const struct guest *guest);
	/* number: of a fault, from 1 on. */
	void (*event)(const struct guest *guest, const struct trace_event *event, uint64_t number);
	/* status: as wait(2) has it. fatal: the access that ended the program; NULL: not known. */
	void (*end)(const struct guest *guest, int status, const struct trace_event *fatal);
};

extern const struct narrator explain_text; /* for people */
extern const struct narrator explain_json; /* for programs: an object a line */

/*
 * explain_event() tells what the trace says while the program runs; explain_end() its status as
 * wait(2) has it.
 */
void explain_event(const struct guest *guest, const struct trace_event *event);
void explain_end(const struct guest *guest, int status);

/* What explain_text tells after the jump: explain_text_events.c. */
void explain_text_event(const struct guest *guest, const struct trace_event *event,
			uint64_t number);
void explain_text_end(const struct guest *guest, int status, const struct trace_event *fatal);

/* Draws where the program, its stack and this loader are: the address space. */
void explain_picture(const struct guest *guest);

/* Escape sequences (ECMA-48), or nothing where they would not be wanted (no-color.org). */
enum style { PLAIN, BOLD, RED, GREEN, DIM };

const char *explain_style(enum style wanted);

#define PLACE_BYTES 512

/* `main+0x1a in .text`; the address itself where no symbol has it. text: PLACE_BYTES. */
const char *explain_place(const struct guest *guest, uint64_t address, char *text);

/* `0x402830, first+0x0 in .bss`: the address, and the place where a symbol has it. text:
 * PLACE_BYTES. */
const char *explain_address(const struct guest *guest, uint64_t address, char *text);

struct segment_type {
	uint32_t type;
	char name[16], use[48]; /* no pointers: those would be relocated at every start */
};

/* The name of a type of program headers, and what the loader makes of it. */
const struct segment_type *segment_type(uint32_t type);

#endif
