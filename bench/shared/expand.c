/* Braces, as a shell expands them. */
#include "bench/shared/expand.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first braces with a comma in them: text up to open, the choices, and what is after close. */
static bool find_braces(const char *text, const char **open, const char **close)
{
	for (*open = strchr(text, '{'); *open != NULL; *open = strchr(*open + 1, '{')) {
		*close = strchr(*open, '}');
		if (*close == NULL)
			return false;
		if (memchr(*open, ',', (size_t)(*close - *open)) != NULL)
			return true;
	}
	return false;
}

static bool append(char ***words, size_t *count, const char *text)
{
	char **longer = realloc(*words, (*count + 1) * sizeof(*longer));

	if (longer == NULL)
		return false;
	*words = longer;
	longer[*count] = strdup(text);
	return longer[(*count)++] != NULL;
}

/* Each choice in the place of the first braces; what comes after is expanded in the same way. */
static bool expand(const char *text, char ***words, size_t *count)
{
	const char *open, *close;

	if (!find_braces(text, &open, &close))
		return append(words, count, text);
	for (const char *choice = open + 1; choice <= close;) {
		int length = (int)strcspn(choice, ",}");
		char *one;
		bool done;

		if (asprintf(&one, "%.*s%.*s%s", (int)(open - text), text, length, choice,
			     close + 1) < 0)
			return false;
		done = expand(one, words, count);
		free(one);
		if (!done)
			return false;
		choice += length + 1;
	}
	return true;
}

char **expand_braces(const char *text, size_t *count)
{
	char **words = NULL;

	*count = 0;
	if (expand(text, &words, count))
		return words;
	for (size_t i = 0; i < *count; i++)
		free(words[i]);
	free(words);
	return NULL;
}
