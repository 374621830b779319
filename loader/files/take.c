#include "loader/files/take.h"

#include "common/page.h"

#include <string.h>

char *take_line(char **text, const char *name)
{
	size_t length = strlen(name);
	char *value = *text + length + 1, *end;

	if (strncmp(*text, name, length) != 0 || (*text)[length] != ' ')
		return NULL;
	end = strchr(value, '\n');
	if (end == NULL)
		return NULL;
	*end = '\0';
	*text = end + 1;
	return value;
}

/* strtoul is not used: it accepts signs and prefixes. */
bool take_number(char **text, unsigned base, char end, uint64_t *number)
{
	static const char digits[] = "0123456789abcdef";
	const char *start = *text, *digit;

	*number = 0;
	for (; (digit = memchr(digits, **text, base)) != NULL; ++*text)
		if (__builtin_mul_overflow(*number, base, number) ||
		    !checked_add(*number, (uint64_t)(digit - digits), number))
			return false;
	return *text != start && *(*text)++ == end;
}
