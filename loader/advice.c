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
	const char *option = guest->options.bare, *word = guest->options.program[0];
	bool asks = error->text[strlen(error->text) - 1] == '?';

	if (option != NULL &&
	    (error->status == EXIT_NOT_FOUND || file_kind_at(path) == FILE_KIND_OTHER))
		error_add(error, "%s it is the value of --%s, write --%s=%.100s",
			  asks ? " If" : "; if", option, option, word);
}

/*
 * The interpreter (ld.so) is static, so it can be loaded, with the program as its argument. It
 * looks up a name without a slash among the libraries, hence the ./ in front.
 */
static void advise_interpreter(const struct guest *guest, struct error *error)
{
	const struct object *program = &guest->objects[PROGRAM];
	const char *interpreter = program->image.interpreter, *path = program->file.path;

	if (interpreter == NULL || file_kind_at(interpreter) != FILE_KIND_ELF ||
	    strcmp(path, PROGRAM_FILE_INPUT) == 0)
		return;
	error_set(error, EXIT_NOT_LOADABLE,
		  "is dynamically linked: link it with -static, or run %.100s %.100s %s%.256s",
		  guest->options.loader, interpreter, strchr(path, '/') != NULL ? "" : "./", path);
}

bool advise(const struct guest *guest, struct error *error)
{
	advise_value(guest, error);
	advise_interpreter(guest, error);
	return false;
}
