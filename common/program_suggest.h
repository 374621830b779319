/* "Did you mean" for a program that does not exist. */
#pragma once

#include <limits.h>
#include <stdbool.h>

/*
 * Searches for a program with a similar name: in the same folder or, for a name without a slash, in
 * the folders of PATH and, as ./NAME, in the working directory. Writes the name that the user
 * probably meant to `meant`.
 */
bool program_suggest(const char *name, const char *search_path, char meant[PATH_MAX]);
