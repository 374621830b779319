#include "loader/advice.h"

#include "common/file_kind.h"
#include "loader/guest.h"

#include <string.h>

/*
 * `--stats FILE`: the value of --stats may be left out, so it needs a =, and FILE is taken for the
 * program. The hint is given only if FILE is not a program: `--stats ./prog1` is right.
 */
static void advise_value(const struct guest *guest, struct error *error)
{
	const char *path = guest->objects[PROGRAM].file.path;
	const char *option = guest->options.bare, *word = guest->name;
	bool asks = error->text[strlen(error->text) - 1] == '?';

	if (option != NULL &&
	    (error->status == EXIT_NOT_FOUND || file_kind_at(path) == FILE_KIND_OTHER))
		error_add(error, "%s it is the value of --%s, write --%s=%.100s",
			  asks ? " If" : "; if", option, option, word);
}

bool advise(const struct guest *guest, struct error *error)
{
	advise_value(guest, error);
	return false;
}
