/* What the parts of the story share. */
#ifndef LOADER_WATCH_EXPLAIN_WORDS_H
#define LOADER_WATCH_EXPLAIN_WORDS_H

#include "loader/guest.h"
#include "loader/resident/trace.h"

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

/* Draws where the program, its stack and this loader are: the address space. */
void explain_picture(const struct guest *guest);

/* What the narrator for people tells after the jump: see struct narrator. */
void explain_text_event(const struct guest *guest, const struct trace_event *event,
			uint64_t number);
void explain_text_end(const struct guest *guest, int status, const struct trace_event *fatal);

#endif
