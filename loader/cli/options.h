/* The command line of the three loaders. */
#ifndef LOADER_CLI_OPTIONS_H
#define LOADER_CLI_OPTIONS_H

#include "common/placement/strategy.h"
#include "loader/cli/policies.h"
#include "loader/cli/strategy.h"

#include <stdio.h>

/* Whether system calls are intercepted; in the order of the words in options.def. */
enum guard_choice { CHOOSE_AUTO, CHOOSE_REQUIRE, CHOOSE_NONE };

/* EXPLAIN_NOTHING, then the words of --explain in the order of options.def. */
enum explain_format { EXPLAIN_NOTHING, EXPLAIN_TEXT, EXPLAIN_JSON };

/* A symbol of the program, or START-END in hexadecimal, and how it is placed. */
struct place_hint {
	const char *where; /* the first `length` bytes */
	uint64_t length;
	struct frame_strategy strategy;
};

/* Pages of 2 MiB for .bss: as the kernel is set, or in any case, or not at all. */
enum huge_choice { HUGE_AS_SET, HUGE_IN_ANY_CASE, HUGE_NOT_AT_ALL };

#define PLACE_HINTS_MAX 16

struct options {
	bool help, version; /* print help or version and exit */
	bool plan;	    /* print the load plan and exit */
	bool verbose;
	bool statistics;
	const char *statistics_file; /* JSON goes there; NULL: text to standard error */
	enum explain_format explain;
	bool step;			 /* wait for a key at each part of the story */
	bool pause;			 /* wait for a debugger before entry */
	const char *trace;		 /* what happens is written there; NULL: none */
	unsigned only;			 /* of the trace, a bit for each word of --only; 0: all */
	const char *learn;		 /* a profile of files is written there; NULL: none */
	const char *order;		 /* first calls are written there; NULL: none */
	const char *order_of;		 /* a library, for --order; NULL: the program itself */
	const char *debug_file;		 /* names of functions, for --order; NULL: none */
	const char *record;		 /* a profile is written there; NULL: none */
	const char *profile;		 /* a profile is read from there; NULL: none */
	bool profile_is_kept;		 /* it was not asked for: nothing is learned */
	struct frame_strategy placement; /* of .data and .bss; base 0: as many as this machine's */
	struct place_hint *place_hints;	 /* PLACE_HINTS_MAX; NULL: none has been given */
	unsigned place_hint_count;
	const char *layout;	     /* the frames are written there at exit; NULL: nowhere */
	const char *argv0;	     /* NULL: the program as typed */
	const char *interpreter;     /* NULL: the one that the program names */
	const char *library_path;    /* folders that ld.so searches first; NULL: none */
	const struct policy *policy; /* NULL for a loader that hides nothing */
	uint64_t policy_pages;	     /* its parameter */
	const char *engine;	     /* NULL: the best that this kernel has */
	uint64_t retire;	     /* system calls after which lazy paging ends: guard.h */
	enum guard_choice guard;
	enum huge_choice huge;
	bool populate;	  /* even if memory does not suffice */
	bool verify;	  /* compare the pager's records with the kernel's */
	const char *bare; /* the option right before the program, if its value was left out */
	char **program;	  /* the program and its arguments, NULL-terminated */
};

/*
 * Options end at the first word that is not an option, or after `--`. Fails with EXIT_OURS and a
 * sentence; also where no program is named, unless one of help and version is set.
 */
bool options_parse(const struct strategy *strategy, int argc, char **argv, struct options *options,
		   struct error *error);

/* Whether pages of the program are placed at all. */
bool options_place(const struct options *options);

/* Prints what --help and --version say on standard output. False if it cannot be written. */
bool options_print_help(const struct strategy *strategy);
bool options_print_version(const struct strategy *strategy);

/* Prints what --help says of one option, without its dashes, and its words. False: there is none.
 */
bool options_print_one(const struct strategy *strategy, const char *name, FILE *out);

#endif
