/* --explain: the tables of the program's stack (argv, envp, auxv), word by word. */
#ifndef LOADER_WATCH_EXPLAIN_STACK_H
#define LOADER_WATCH_EXPLAIN_STACK_H

#include <stdbool.h>
#include <stdint.h>

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
	const char *about; /* what the word is for; or NULL */
};

typedef void stack_word_teller(const struct stack_word *word);

/* Calls tell() with each word of the tables, from the stack pointer upwards. */
void explain_walk_stack(stack_word_teller *tell);

#endif
