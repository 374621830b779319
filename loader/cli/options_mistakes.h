/* What is said about a command line that cannot be understood. Each fails with EXIT_OURS. */
#ifndef LOADER_CLI_OPTIONS_MISTAKES_H
#define LOADER_CLI_OPTIONS_MISTAKES_H

#include "common/error.h"

#include <getopt.h>

/* Says getopt's ':' or '?' in a sentence; getopt has moved optind past the word at fault. */
bool options_complain(int result, char **argv, const struct option *known, struct error *error);

/*
 * Refuses a command line without a program. `taker`, if not NULL, is the option that took the
 * separate word before for its value.
 */
bool options_no_program(const char *taker, const char *value, struct error *error);

/*
 * Adds a hint to the error about a program: in `--stats FILE` a value that may be left out wants a
 * =, so FILE was taken for the program. `word` is the program as typed, `path` where it was looked
 * for, `option` what stands right before it, without a value; NULL: none does. Where FILE is a
 * program the command line is right, and nothing is added.
 */
void options_hint_value(const char *option, const char *word, const char *path,
			struct error *error);

/* The option whose name is near the word; NULL: there is none. */
const char *options_similar(const char *word);

#endif
