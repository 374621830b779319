#include "loader/watch/order_names.h"

#include "common/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where packages of debug files put them, by the first two digits and the others. */
#define DEBUG_FOLDER "/usr/lib/debug/.build-id"

/* Takes the functions of a debug file of the same build. Not of another one: addresses differ. */
static bool take(const char *path, struct elf_functions *functions, bool *is_other)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct elf_functions found;
	bool good;

	*is_other = false;
	if (file < 0)
		return false;
	good = elf_functions_read(file, &found);
	close(file);
	*is_other = strcmp(found.build_id, functions->build_id) != 0;
	if (!good || *is_other)
		return false;
	*functions = found;
	return true;
}

/* The file that was named: it is wrong, or its functions are taken. */
static bool take_named(const char *path, struct elf_functions *functions, struct error *error)
{
	bool is_other;

	errno = 0;
	if (take(path, functions, &is_other))
		return true;
	if (errno != 0)
		return error_set(error, EXIT_OURS,
				 "--debug-file=%.256s cannot be read: %s; name the program before "
				 "it was stripped",
				 path, strerror(errno));
	return error_set(error, EXIT_OURS,
			 is_other
			     ? "--debug-file=%.256s is of another build: their build-ids differ"
			     : "--debug-file=%.256s has no .symtab; name the program before it "
			       "was stripped",
			 path);
}

/* The file that the order is about, if it is not the one that the user started; or NULL. */
static const char *other_file(const struct guest *guest)
{
	if (guest->options.order_of != NULL)
		return guest->options.order_of;
	return guest->script != NULL ? guest->objects[PROGRAM].file.path : NULL;
}

/*
 * Takes what strip leaves: the functions that a file exports, with their names, and the addresses
 * of the others.
 */
static bool take_stripped(int file, const char *other, struct elf_functions *functions)
{
	const char *space = other != NULL ? " " : "";
	bool frames = elf_functions_from_frames(file, functions), exports;

	if (!frames)
		functions->count = 0;
	exports = elf_functions_add_exported(file, functions);
	if (frames || exports)
		report_warning(
		    "%.256s%shas no .symtab: its order has %s; with --debug-file=FILE it "
		    "has those of a file that is not stripped",
		    other != NULL ? other : "", space,
		    exports ? "names only of functions that it exports"
			    : "addresses without names");
	return frames || exports;
}

bool order_names_read(const struct guest *guest, const struct object *object,
		      struct elf_functions *functions, struct error *error)
{
	char path[sizeof(DEBUG_FOLDER) + BUILD_ID_BYTES + sizeof("//.debug")];
	const char *other = other_file(guest);
	bool is_other;

	if (elf_functions_read(object->file.descriptor, functions) &&
	    guest->options.debug_file == NULL)
		return true;
	if (guest->options.debug_file != NULL)
		return take_named(guest->options.debug_file, functions, error);
	snprintf(path, sizeof(path), DEBUG_FOLDER "/%.2s/%s.debug", functions->build_id,
		 functions->build_id + (functions->build_id[0] != '\0' ? 2 : 0));
	if (functions->build_id[0] != '\0' && take(path, functions, &is_other))
		return true;
	if (elf_functions_from_go(object->file.descriptor, functions))
		return true;
	if (take_stripped(object->file.descriptor, other, functions))
		return true;
	return error_set(error, EXIT_OURS,
			 "--order finds no function in %.256s: it has neither .symtab nor "
			 ".eh_frame; link it without -s, or name a --debug-file",
			 other != NULL ? other : "it");
}
