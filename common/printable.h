/* Text of others in a line of ours. Pure. */
#ifndef COMMON_PRINTABLE_H
#define COMMON_PRINTABLE_H

#include <stddef.h>

#define UTF8_BYTES_MAX 4

/*
 * How many bytes the character takes with which the text of `length` bytes, not none, begins
 * (RFC 3629, section 4); 0: this is no UTF-8.
 */
size_t utf8_length(const char *text, size_t length);

/*
 * Replaces by `?` what a terminal would obey, and would make two lines of one: control characters,
 * those of ISO 6429 in UTF-8 too, and bytes that are no UTF-8, which may be such in other
 * encodings. The text may hold NULs, which stay.
 */
void printable_make(char *text, size_t length);

/*
 * A copy of a text, cut off where there is no more room, with question marks for control
 * characters: a newline in a name must not make two lines of one, nor another one be an order to
 * the terminal.
 */
const char *printable_line(const char *text, char *copy, size_t bytes);

#endif
