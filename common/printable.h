/* Makes foreign text, such as a file's name, safe to print on one line. Pure. */
#pragma once

#include <stddef.h>

#define UTF8_BYTES_MAX 4

/*
 * The number of bytes in the first character of a text (RFC 3629, section 4); 0: it is not UTF-8.
 * The text has `length` bytes, at least one.
 */
size_t utf8_length(const char *text, size_t length);

/*
 * Replaces by `?` each character that would start a new line or control a terminal: control
 * characters, including those of ISO 6429 in UTF-8. Also replaces bytes that are not UTF-8, because
 * they may be control characters in another encoding. NULs in the text stay.
 */
void printable_make(char *text, size_t length);

/*
 * Copies a text into `copy`, cuts it off if there is no more room, and replaces characters as
 * printable_make() does. Returns the copy.
 */
const char *printable_line(const char *text, char *copy, size_t bytes);
