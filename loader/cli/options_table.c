#include "loader/cli/options_table.h"

#include "loader/cli/policies.h"
#include "loader/resident/pager/engine.h"

#include <string.h>

/*
 * The names are inside the rows, because pointers to them would be relocated at each start. The
 * rows are not constant: names have hyphens where identifiers have underscores.
 * option_prepare_getopt() sets them.
 */
struct option_row option_rows[OPTION_COUNT] = {
#define OPTION(name, letter, takes, value, words, loaders, group, sets, help)                      \
	{#name, letter, takes, group, loaders},
#include "loader/cli/options.def"
};

#define OPTION(option, ...)                                                                        \
	_Static_assert(sizeof(#option) <= sizeof(option_rows[0].name), "struct option_row: name");
#include "loader/cli/options.def"

/*
 * The texts that are seldom needed: OPTION_TEXTS strings per row, in one array, because pointers to
 * them would be relocated, too.
 */
static const char texts[] =
#define OPTION(name, letter, takes, value, words, loaders, group, sets, help)                      \
	value "\0" words "\0" help "\0"
#include "loader/cli/options.def"
    ;

const char *option_text(enum option_id id, enum option_text which)
{
	const char *text = texts;

	for (unsigned before = (unsigned)id * OPTION_TEXTS + (unsigned)which; before > 0; before--)
		text += strlen(text) + 1;
	return text;
}

bool option_is_for(enum option_id id, bool is_lazy)
{
	return option_rows[id].loaders == ALL ||
	       option_rows[id].loaders == (is_lazy ? LAZY : EAGER);
}

void option_prepare_getopt(struct option_getopt *getopt)
{
	/* "+": stop at the first word that is not an option; ":": distinguish a missing value. */
	char *letter = stpcpy(getopt->letters, "+:");

	for (int id = 0; id < OPTION_COUNT; id++) {
		struct option_row *row = &option_rows[id];
		char *underscore = strchr(row->name, '_');

		if (underscore != NULL)
			*underscore = '-';
		getopt->known[id] = (struct option){
		    .name = row->name,
		    .has_arg = row->takes,
		    .val = OPTION_LONG + id,
		};
		if (row->letter != 0)
			*letter++ = row->letter;
	}
	*letter = '\0';
	getopt->known[OPTION_COUNT] = (struct option){.name = NULL};
}

enum option_id option_found(int value)
{
	unsigned id = 0;

	if (value >= OPTION_LONG)
		return (enum option_id)(value - OPTION_LONG);
	while (option_rows[id].letter != value)
		id++;
	return (enum option_id)id;
}
