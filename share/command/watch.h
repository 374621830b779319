/* The loader with an option in front of the others, and what its outputs are called. */
#pragma once

#include "share/command/command.h"

/*
 * `pagewise run` with --trace=FILE in front of the words, for the command whose name begins the
 * messages. Returns only if the program could not be started: the status to exit with.
 */
int watch_trace(const char *name, const char *file, int argc, char **argv);

/*
 * Takes `-o FILE` or `--output=FILE` out of the options, which end at the first other word. *file
 * becomes FILE, or NULL if the option is not there. Fails without a FILE after it, with two, and if
 * FILE is the only word.
 */
bool watch_take_output(int *argc, char **argv, const char **file, struct error *error);

/*
 * The program's name without its folders, with this ending; the program follows the loader's
 * options. False with a sentence if these are wrong, or if --trace is one of them.
 */
bool watch_name_output(int argc, char **argv, const char *ending, char name[NAME_MAX],
		       struct error *error);

/*
 * Becomes `python3 NAME WHAT TRACE`, NAME being one of the installed tools that read traces. Its
 * messages begin with the command. Returns only if that fails.
 */
bool watch_become_script(const char *command, const char *name, char *what, char *trace,
			 struct error *error);
