#include "common/printable.h"

#include <stdbool.h>
#include <string.h>

/* The length of a UTF-8 character by its first byte; 0 if no character starts with that byte. */
static size_t bytes_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first < 0xe0)
		return 2;
	if (first >= 0xe0 && first < 0xf0)
		return 3;
	return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

size_t utf8_length(const char *text, size_t length)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t bytes = bytes_of(byte[0]);

	if (bytes > length)
		return 0;
	for (size_t i = 1; i < bytes; i++)
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
	/* Invalid: longer than necessary, half of a UTF-16 pair, above U+10FFFF. */
	if ((byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xed && byte[1] > 0x9f) ||
	    (byte[0] == 0xf0 && byte[1] < 0x90) || (byte[0] == 0xf4 && byte[1] > 0x8f))
		return 0;
	return bytes;
}

/* Whether a character is U+0001 to U+001F, U+007F, or U+0080 to U+009F. */
static bool is_control(const unsigned char *text)
{
	return (text[0] > 0 && text[0] < 0x20) || text[0] == 0x7f ||
	       (text[0] == 0xc2 && text[1] < 0xa0);
}

void printable_make(char *text, size_t length)
{
	while (length > 0) {
		size_t bytes = utf8_length(text, length);

		if (bytes == 0 || is_control((const unsigned char *)text)) {
			bytes = bytes > 0 ? bytes : 1;
			memset(text, '?', bytes);
		}
		text += bytes;
		length -= bytes;
	}
}

const char *printable_line(const char *text, char *copy, size_t bytes)
{
	size_t length = strnlen(text, bytes - 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	printable_make(copy, length);
	return copy;
}
