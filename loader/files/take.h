/* Reads the text of a profile piece by piece. Pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Moves *text to the line after "NAME value\n" and returns the value, terminated by a NUL. Returns
 * NULL if something else comes next.
 */
char *take_line(char **text, const char *name);

/*
 * Reads a number of up to 64 bits in base 10 or 16, without sign and prefix, and the byte `end`
 * after it.
 */
bool take_number(char **text, unsigned base, char end, uint64_t *number);
