#include "loader/profile/profile_text.h"

#include "loader/files/files_text.h"
#include "loader/files/take.h"

#include <stdlib.h>
#include <string.h>

/* Page numbers of user addresses are below this, even with five levels of page tables. */
#define PAGE_NUMBERS (UINT64_C(1) << 44)

/* Reads "FIRST PAGES w\n". Runs are sorted and do not overlap, so that no page is done twice. */
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

static bool take_runs(char **text, struct profile *profile)
{
	char *count = take_line(text, "runs");
	uint64_t least = 0;

	if (count == NULL || !take_number(&count, 10, '\0', &profile->count) ||
	    profile->count > PROFILE_TEXT_MAX / 6)
		return false;
	profile->runs = malloc((profile->count + 1) * sizeof(*profile->runs));
	if (profile->runs == NULL)
		return false;
	for (size_t i = 0; i < profile->count; i++) {
		if (!take_run(text, least, &profile->runs[i]))
			return false;
		least = profile->runs[i].first + profile->runs[i].pages;
	}
	return true;
}

/* The number of the format; 0: this is not a profile. */
static int take_magic(char **text)
{
	static const char start[] = "page-profile ";
	const char *digit = *text + sizeof(start) - 1;

	if (strncmp(*text, start, sizeof(start) - 1) != 0 || (*digit != '1' && *digit != '2') ||
	    digit[1] != '\n')
		return 0;
	*text += sizeof(start) + 1;
	return *digit - '0';
}

enum profile_text_kind profile_text_parse(char *text, struct profile_text *parsed)
{
	int format = take_magic(&text);

	*parsed = (struct profile_text){.program = NULL};
	if (format == 0)
		return PROFILE_TEXT_OTHER;
	parsed->program = take_line(&text, "program");
	parsed->key = take_line(&text, "key");
	if (parsed->program != NULL && parsed->key != NULL && take_runs(&text, &parsed->profile) &&
	    (format == 1 || files_parse(&text, &parsed->profile.files)))
		return PROFILE_TEXT_WHOLE;
	free(parsed->profile.runs);
	return PROFILE_TEXT_DAMAGED;
}
