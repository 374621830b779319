/* What is said about a command line that cannot be understood. Each fails with EXIT_OURS. */
#ifndef LOADER_CLI_OPTIONS_MISTAKES_H
#define LOADER_CLI_OPTIONS_MISTAKES_H

#include "common/error.h"

#include <getopt.h>

/* getopt's ':' or '?' as a sentence; it has moved optind behind the word at fault. */
bool options_complain(int result, char **argv, const struct option *known, struct error *error);

/*
 * `--trace -v`: that the next word is the option's value was hardly meant. Only argv[0] may well
 * begin with a dash, as a login shell's does.
 */
bool options_refuse_dash(const char *option, const char *value, struct error *error);

/* `--trace=`: there is no file without a name. */
bool options_refuse_empty(const char *option, struct error *error);

/* No word is left for the program. `taker`, if not NULL, has the separate word before as its value.
 */
bool options_no_program(const char *taker, const char *value, struct error *error);

#endif
