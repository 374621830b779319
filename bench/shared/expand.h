/* Braces, as a shell expands them: "a --b={c,d}" is "a --b=c" and "a --b=d". Pure. */
#pragma once

#include <stddef.h>

/*
 * A new array of new strings, in the order a shell would give them; the last word's braces vary
 * fastest. Braces without a comma, or that are not closed, stay as they are; they do not nest. NULL
 * without memory.
 */
char **expand_braces(const char *text, size_t *count);
