/* --explain: the tables of the program's stack (argv, envp, auxv), word by word. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A word of the stack's tables, or a pair of words. */
struct stack_word {
	uint64_t address;
	uint64_t value;
	char name[24];	   /* `argc`, `argv[0]`, `AT_PHDR` */
	bool is_pair;	   /* an entry of the auxiliary vector: its key is at `address` */
	uint64_t key;	   /* AT_*; the next word has its value */
	bool is_number;	   /* a count or an ID, not an address or bits */
	unsigned variable; /* index in the environment, from 1 on; 0: another word */
	const char *text;  /* the string that value points to, in the loader's memory; or NULL */
	const char *about; /* what the word is for; or NULL */
};

typedef void stack_word_teller(const struct stack_word *word);

/* Calls tell() for each word of the tables, from the stack pointer upward. */
void explain_walk_stack(stack_word_teller *tell);
