/* The command line of the three loaders. */
#pragma once

#include "common/placement/strategy.h"
#include "loader/cli/policies.h"
#include "loader/cli/strategy.h"

#include <stdio.h>

/* Whether system calls are intercepted. The order is that of the words in options.def. */
enum guard_choice { CHOOSE_AUTO, CHOOSE_REQUIRE, CHOOSE_NONE };

/* EXPLAIN_NOTHING, then the words of --explain in the order of options.def. */
enum explain_format { EXPLAIN_NOTHING, EXPLAIN_TEXT, EXPLAIN_JSON };

/* A symbol of the program, or START-END in hexadecimal, and how its pages are placed. */
struct place_hint {
	const char *where; /* only the first `length` bytes */
	uint64_t length;
	struct frame_strategy strategy;
};

/* Pages of 2 MiB for .bss: according to the kernel's setting, always, or never. */
enum huge_choice { HUGE_AS_SET, HUGE_IN_ANY_CASE, HUGE_NOT_AT_ALL };

#define PLACE_HINTS_MAX 16

struct options {
	bool help, version; /* print help or version and exit */
	bool plan;	    /* print the load plan and exit */
	bool verbose;
	bool statistics;
	const char *statistics_file; /* file for the JSON; NULL: text to standard error */
	enum explain_format explain;
	bool step;			 /* wait for a key at each part of the story */
	bool pause;			 /* wait for a debugger before entry */
	const char *trace;		 /* file for the events; NULL: none */
	unsigned only;			 /* filter of the trace, a bit for each word of --only;
					    0: all */
	const char *learn;		 /* file for a profile of files; NULL: none */
	const char *order;		 /* file for the order of first calls; NULL: none */
	const char *order_of;		 /* a library, for --order; NULL: the program itself */
	const char *debug_file;		 /* names of functions, for --order; NULL: none */
	const char *record;		 /* file for the recorded profile; NULL: none */
	const char *profile;		 /* file of the profile to use; NULL: none */
	bool profile_is_kept;		 /* the profile was not asked for: it is not updated */
	struct frame_strategy placement; /* for .data and .bss; base 0: as many colors as this
					    machine has */
	struct place_hint *place_hints;	 /* array of PLACE_HINTS_MAX; NULL: none has been given */
	unsigned place_hint_count;
	const char *layout;	     /* file for the frames at exit; NULL: none */
	const char *argv0;	     /* NULL: the program's name as typed */
	const char *interpreter;     /* NULL: the interpreter that the program names */
	const char *library_path;    /* folders that ld.so searches first; NULL: none */
	const struct policy *policy; /* NULL for a loader that hides nothing */
	uint64_t policy_pages;	     /* the policy's parameter */
	const char *engine;	     /* NULL: the best that this kernel has */
	uint64_t retire;	     /* number of system calls after which lazy paging ends:
					guard.h */
	enum guard_choice guard;
	enum huge_choice huge;
	bool populate;	  /* fill pages even if memory does not suffice */
	bool verify;	  /* compare the pager's records with the kernel's */
	const char *bare; /* the option just before the program, if its value was left out */
	char **program;	  /* the program and its arguments, NULL-terminated */
};

/*
 * Parses the options, which end at the first word that is not an option, or after `--`. Fails with
 * EXIT_OURS and a sentence, also if no program is named and neither help nor version is set.
 */
bool options_parse(const struct strategy *strategy, int argc, char **argv, struct options *options,
		   struct error *error);

/* Whether any pages of the program are placed. */
bool options_place(const struct options *options);

/*
 * Prints the text of --help or --version on standard output. Returns false if it cannot be written.
 */
bool options_print_help(const struct strategy *strategy);
bool options_print_version(const struct strategy *strategy);

/*
 * Prints the help for one option, named without its dashes or by its letter, and its default.
 * Returns false if there is no such option.
 */
bool options_print_one(const struct strategy *strategy, const char *name, FILE *out);
