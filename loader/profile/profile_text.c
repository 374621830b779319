#include "loader/profile/profile_text.h"

#include <stdlib.h>
#include <string.h>

/* Page numbers of 64-bit addresses are below this. */
#define PAGE_NUMBERS (UINT64_C(1) << 52)

#define MAGIC "page-profile 1\n"

/* Moves behind "NAME value\n" and cuts the value out; NULL if that is not what comes next. */
static char *take_line(char **text, const char *name)
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

/* Not by strtoul, which takes signs and prefixes, too. */
static bool take_number(char **text, unsigned base, char end, uint64_t *number)
{
	static const char digits[] = "0123456789abcdef";
	const char *start = *text, *digit;

	*number = 0;
	for (; (digit = memchr(digits, **text, base)) != NULL; ++*text) {
		if (*number >> 60 != 0)
			return false;
		*number = *number * base + (uint64_t)(digit - digits);
	}
	return *text != start && *(*text)++ == end;
}

/* "FIRST PAGES w\n", sorted and apart, so that nothing is done twice. */
static bool take_run(char **text, uint64_t least, struct profile_run *run)
{
	if (!take_number(text, 16, ' ', &run->first) || !take_number(text, 16, ' ', &run->pages) ||
	    (**text != 'w' && **text != 'r') || (*text)[1] != '\n' || run->first < least ||
	    run->pages == 0 || run->first >= PAGE_NUMBERS || run->pages > PAGE_NUMBERS - run->first)
		return false;
	run->written = **text == 'w';
	*text += 2;
	return true;
}

static bool take_runs(char *text, struct profile *profile)
{
	char *count = take_line(&text, "runs");
	uint64_t least = 0;

	if (count == NULL || !take_number(&count, 10, '\0', &profile->count) ||
	    profile->count > PROFILE_TEXT_MAX / 6)
		return false;
	profile->runs = malloc((profile->count + 1) * sizeof(*profile->runs));
	if (profile->runs == NULL)
		return false;
	for (size_t i = 0; i < profile->count; i++) {
		if (!take_run(&text, least, &profile->runs[i]))
			return false;
		least = profile->runs[i].first + profile->runs[i].pages;
	}
	return true;
}

enum profile_text_kind profile_text_parse(char *text, struct profile_text *parsed)
{
	*parsed = (struct profile_text){.program = NULL};
	if (strncmp(text, MAGIC, strlen(MAGIC)) != 0)
		return PROFILE_TEXT_OTHER;
	text += strlen(MAGIC);
	parsed->program = take_line(&text, "program");
	parsed->key = take_line(&text, "key");
	if (parsed->program != NULL && parsed->key != NULL && take_runs(text, &parsed->profile))
		return PROFILE_TEXT_WHOLE;
	free(parsed->profile.runs);
	return PROFILE_TEXT_DAMAGED;
}
