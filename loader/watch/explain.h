/*
 * --explain: the loader describes what it reads, decides and does while it loads, and then each
 * fault. explain.c has the order of the story. explain_text.c writes each part for people,
 * explain_json.c for programs. Host code.
 */
#pragma once

#include "loader/guest/guest.h"
#include "loader/resident/base/trace.h"
#include "loader/watch/watch.h"

struct narrator {
	void (*parts[STORY_PARTS])(const struct guest *guest);
	/* number: of the fault, from 1 on. */
	void (*event)(const struct guest *guest, const struct trace_event *event, uint64_t number);
	/* status: as from wait(2). fatal: the access that ended the program; NULL: not known. */
	void (*end)(const struct guest *guest, int status, const struct trace_event *fatal);
};

extern const struct narrator explain_text; /* text for people */
extern const struct narrator explain_json; /* JSON for programs: one object per line */

/*
 * explain_event() writes an event of the trace while the program runs. explain_end() writes the
 * program's status, as from wait(2).
 */
void explain_event(const struct guest *guest, const struct trace_event *event);
void explain_end(const struct guest *guest, int status);

/* The part of explain_text after the jump: explain_text_events.c. */
void explain_text_event(const struct guest *guest, const struct trace_event *event,
			uint64_t number);
void explain_text_end(const struct guest *guest, int status, const struct trace_event *fatal);

/* Draws the address space: where the program, its stack and this loader are. */
void explain_picture(const struct guest *guest);

/* Escape sequences (ECMA-48), or empty strings if they are not wanted (no-color.org). */
enum style { PLAIN, BOLD, RED, GREEN, DIM };

const char *explain_style(enum style wanted);

#define PLACE_BYTES 512

/* `main+0x1a in .text`, or the address if no symbol contains it. text: PLACE_BYTES. */
const char *explain_place(const struct guest *guest, uint64_t address, char *text);

/*
 * `0x402830, first+0x0 in .bss`: the address, and the place if a symbol contains it. text:
 * PLACE_BYTES.
 */
const char *explain_address(const struct guest *guest, uint64_t address, char *text);

struct segment_type {
	uint32_t type;
	char name[16], use[48]; /* arrays, because pointers would be relocated at every start */
};

/* The name of a program header's type, and what the loader does with it. */
const struct segment_type *segment_type(uint32_t type);
