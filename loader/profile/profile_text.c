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

static bool take_number(char **text, char end, uint64_t *number)
{
	char *behind;

	if (**text < '0' || **text > 'f')
		return false;
	*number = strtoul(*text, &behind, 16);
	if (behind == *text || *behind != end)
		return false;
	*text = behind + 1;
	return true;
}

/* "FIRST PAGES w\n", sorted and apart, so that nothing is done twice. */
static bool take_run(char **text, uint64_t least, struct profile_run *run)
{
	if (!take_number(text, ' ', &run->first) || !take_number(text, ' ', &run->pages) ||
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

	profile->count = count == NULL ? 0 : strtoul(count, NULL, 10);
	if (count == NULL || profile->count > PROFILE_TEXT_MAX / 6)
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
