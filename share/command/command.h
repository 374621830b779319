/*
 * The commands of pagewise. Each function gets its own name as argv[0] and returns the status to
 * exit with; so do the main functions of the tools that are links to pagewise.
 */
#pragma once

#include "common/error.h"
#include "common/output_file.h"
#include "loader/cli/strategy.h"

#include <limits.h>
#include <stdbool.h>

/* NAME of each row of commands.def, in its order. */
enum command_id {
#define COMMAND(name, usage, words, text) COMMAND_##name,
#include "share/command/commands.def"
	COMMAND_COUNT
};

#define COMMAND(name, usage, words, text) int command_##name(int argc, char **argv);
#include "share/command/commands.def"

/* pagewise.c: how `pagewise run` differs from the three loaders. Commands that run a program change
 * its name. */
extern struct strategy command_strategy;

/* dispatch.c: everything but `pagewise run`: other commands, mistakes, links to pagewise. */
int command_dispatch(int argc, char **argv);

/* dispatch.c: the command of this name; COMMAND_COUNT: there is none. */
enum command_id command_find(const char *name);

/* dispatch.c: the names of all commands, for similar_among(). */
void command_names(const char *names[COMMAND_COUNT]);

/*
 * tools.c: output_file_open() for a file that the user named. Refuses to overwrite what may be a
 * program, as the loaders do.
 */
bool command_output_open(struct output_file *file, const char *what, const char *name,
			 struct error *error);

/*
 * tools.c: notes FILE of `-o FILE`. Refuses a second one, and a value that was hardly meant as a
 * file: `-o=FILE`, `-o --`, `-o -`.
 */
bool command_take_output(const char **output, const char *value, struct error *error);

/* page_profile.c and page_layout.c; `name` begins their messages. */
int page_profile_main(const char *name, int argc, char **argv);
int page_layout_main(const char *name, int argc, char **argv);
