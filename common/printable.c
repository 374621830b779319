#include "common/printable.h"

#include <stdbool.h>

/* How long the character is that begins here; 0 for a byte that begins none. */
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

static bool is_whole(const unsigned char *text, size_t bytes, size_t length)
{
	if (bytes == 0 || bytes > length)
		return false;
	for (size_t i = 1; i < bytes; i++)
		if (text[i] < 0x80 || text[i] > 0xbf)
			return false;
	return true;
}

/* U+0001 to U+001F and U+007F; U+0080 to U+009F. */
static bool is_control(const unsigned char *text)
{
	return (text[0] > 0 && text[0] < 0x20) || text[0] == 0x7f ||
	       (text[0] == 0xc2 && text[1] < 0xa0);
}

void printable_make(char *text, size_t length)
{
	unsigned char *at = (unsigned char *)text;

	while (length > 0) {
		size_t bytes = bytes_of(*at);
		bool whole = is_whole(at, bytes, length);

		if (!whole)
			bytes = 1;
		if (!whole || is_control(at))
			for (size_t i = 0; i < bytes; i++)
				at[i] = '?';
		at += bytes;
		length -= bytes;
	}
}
