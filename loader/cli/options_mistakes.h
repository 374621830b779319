/* Messages for a command line that cannot be understood. Each function fails with EXIT_OURS. */
#pragma once

#include "common/error.h"

#include <getopt.h>

/* Turns getopt's ':' or '?' into a sentence. getopt has moved optind past the wrong word. */
bool options_complain(int result, char **argv, const struct option *known, struct error *error);

/*
 * Refuses a command line without a program. `taker`, if not NULL, is the option that took the
 * preceding word as its value.
 */
bool options_no_program(const char *taker, const char *value, struct error *error);

/*
 * Adds a hint to the error about a program. In `--stats FILE` an optional value needs a =, so FILE
 * was taken for the program. `word` is the program as typed, `path` the path that was tried.
 * `option` is the option just before it without a value; NULL: there is none. If FILE is a program
 * the command line is right, and no hint is added.
 */
void options_hint_value(const char *option, const char *word, const char *path,
			struct error *error);

/* The option whose name resembles the word; NULL: there is none. */
const char *options_similar(const char *word);
