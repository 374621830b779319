/*
 * --explain: the loader tells what it reads, decides and does while it loads, and then each fault.
 * The order of the story is in explain.c; how each part is told, in one file for each format.
 * Host code.
 */
#ifndef LOADER_EXPLAIN_H
#define LOADER_EXPLAIN_H

#include "loader/guest.h"
#include "loader/resident/trace.h"

/* The phases, each to be called when it is over. Without effect if nobody asked for a story. */
void explain_headers(const struct guest *guest);
void explain_mappings(const struct guest *guest);
void explain_stack(const struct guest *guest);
void explain_jump(const struct guest *guest);

/* While the program runs: what the trace says; at its end, its status as wait(2) has it. */
void explain_event(const struct guest *guest, const struct trace_event *event);
void explain_end(const struct guest *guest, int status);

/* A word of the stack's tables, or two that belong together. */
struct stack_word {
	uint64_t address;
	uint64_t value;
	char name[24];	/* `argc`, `argv[0]`, `AT_PHDR` */
	bool is_pair;	/* an entry of the auxiliary vector: at address is its key */
	uint64_t key;	/* AT_*; its value is in the next word */
	bool is_number; /* a count or an ID, not an address or bits */
	unsigned
	    variable;	  /* of the environment: its place there, counted from 1; 0: another word */
	const char *text; /* the string that value points to, in the loader's memory; or NULL */
	const char *about; /* what it is for; or NULL */
};

typedef void stack_word_teller(const struct stack_word *word);

/* Calls tell() with each word of the tables, from the stack pointer upwards. */
void explain_walk_stack(stack_word_teller *tell);

/* How a story is told. */
struct narrator {
	void (*header)(const struct guest *guest);
	void (*segment)(const struct guest *guest, unsigned index);
	void (*before_mappings)(const struct guest *guest);
	void (*mapping)(const struct guest *guest, unsigned index);
	void (*after_mappings)(const struct guest *guest);
	void (*before_stack)(void);
	stack_word_teller *word;
	void (*jump)(const struct guest *guest);
	void (*event)(const struct guest *guest, const struct trace_event *event, uint64_t number);
	/* fatal: the access that has ended it; NULL if that is not known. */
	void (*end)(const struct guest *guest, int status, const struct trace_event *fatal);
};

extern const struct narrator explain_text, explain_json;

/* Draws where the program, its stack and this loader are. */
void explain_picture(const struct guest *guest);

/* What the program headers of a type are for: its name, and what the loader makes of it. */
const char *segment_type_name(uint32_t type);
const char *segment_type_use(uint32_t type);

#endif
