/* The loader with an option in front of the others, and what its outputs are called. */
#pragma once

#include "share/command/command.h"

/*
 * Runs a program with the option in front of the words. Returns only if the program could not be
 * started: the status to exit with.
 */
int watch_run(const char *option, int argc, char **argv);

/* The same with --trace=FILE. */
int watch_trace(const char *file, int argc, char **argv);

/*
 * Takes `-o FILE` or `--output=FILE` off the front of the words after argv[0]. Returns FILE; NULL:
 * it is not there.
 */
const char *watch_take_output(int *argc, char ***argv);

/*
 * The program's name without its folders, with this ending; the program is found behind the
 * loader's options. False with a sentence where these are wrong.
 */
bool watch_name_output(int argc, char **argv, const char *ending, char name[NAME_MAX],
		       struct error *error);
