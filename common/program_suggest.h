/* "Did you mean" for a program that is not there. */
#ifndef COMMON_PROGRAM_SUGGEST_H
#define COMMON_PROGRAM_SUGGEST_H

#include <limits.h>
#include <stdbool.h>

/*
 * Looks for a program with a name like this one: in the same folder, or for a name without a slash
 * in those of PATH (a list of folders) and, as ./NAME, in the working directory. `meant` gets what
 * the user should write instead.
 */
bool program_suggest(const char *name, const char *search_path, char meant[PATH_MAX]);

#endif
