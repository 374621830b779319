#include "loader/script_env.h"

#include "common/elf_image.h"

#include <string.h>
#include <sys/xattr.h>

/* Whether env would only look up a name: there is no option and no variable. */
static bool is_plain(const struct script *script)
{
	const char *name = script->argument;

	return (strcmp(script->interpreter, "/usr/bin/env") == 0 ||
		strcmp(script->interpreter, "/bin/env") == 0) &&
	       name != NULL && name[0] != '-' && strchr(name, '=') == NULL;
}

/* Whether execve would run a file in the same way as the loaders. */
static bool is_loadable(const struct program_file *file)
{
	struct elf_image image;
	struct error error;

	return !file->sets_id && fgetxattr(file->descriptor, "security.capability", NULL, 0) < 0 &&
	       elf_image_read(file->descriptor, file->size, &image, &error);
}

bool script_env_open(const struct script *script, struct program_file *file)
{
	struct error error;

	if (!is_plain(script) || !program_file_open(script->argument, file, &error))
		return false;
	if (is_loadable(file))
		return true;
	program_file_close(file);
	return false;
}
