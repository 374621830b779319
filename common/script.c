#include "common/script.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Skips blanks from `at` up to and including `last`. Returns NULL if there are only blanks. */
static char *skip_blanks(char *at, char *last)
{
	while (at <= last && is_blank(*at))
		at++;
	return at <= last ? at : NULL;
}

/* The end of a word: a blank or NUL. */
static char *word_end(char *at, char *last)
{
	while (at <= last && !is_blank(*at) && *at != '\0')
		at++;
	return at <= last ? at : NULL;
}

bool script_parse(struct script *script)
{
	char *start = script->line + 2, *last = script->line + SCRIPT_LINE_BYTES - 1;
	char *end = memchr(start, '\n', strnlen(start, SCRIPT_LINE_BYTES - 2)), *name, *after;

	if (end == NULL) {
		/* If the line has no end, at least the interpreter's name must end. */
		name = skip_blanks(start, last);
		if (name == NULL || word_end(name, last) == NULL)
			return false;
		end = last;
	}
	while (is_blank(end[-1]))
		end--;
	name = skip_blanks(start, end);
	if (name == NULL || name == end)
		return false;
	after = word_end(name, end);
	script->interpreter = name;
	script->argument = after != NULL && *after != '\0' ? skip_blanks(after, end) : NULL;
	*end = '\0';
	if (script->argument != NULL)
		*after = '\0';
	return true;
}

char **script_arguments(const struct script *script, const char *path, char **arguments)
{
	size_t count = 0;
	char **list, **at;

	while (arguments[count] != NULL)
		count++;
	list = at = malloc((count + 3) * sizeof(*list));
	if (list == NULL)
		return NULL;
	*at++ = (char *)script->interpreter;
	if (script->argument != NULL)
		*at++ = (char *)script->argument;
	*at++ = (char *)path;
	memcpy(at, arguments + 1, count * sizeof(*list)); /* including the NULL at the end */
	return list;
}
