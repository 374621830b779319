/*
 * page-profile learn: a profile from one run of a command, which is hybrid_loader --learn=FILE. The
 * loader takes the place of this process.
 */
#include "share/profile/page_profile.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOADER "hybrid_loader"

/* Where the loader is, seen from this program's folder: installed; built. */
static const char *const beside[] = {"/" LOADER, "/../../" LOADER};

/* The loader's path; its name alone, for a search in PATH, where it is not near this program. */
static const char *find_loader(char path[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 32);
	char *end;

	path[length > 0 ? length : 0] = '\0';
	end = strrchr(path, '/');
	for (size_t i = 0; end != NULL && i < sizeof(beside) / sizeof(beside[0]); i++) {
		strcpy(end, beside[i]);
		if (access(path, X_OK) == 0)
			return path;
	}
	return LOADER;
}

bool learn_run(char **command, size_t count, const char *output, struct error *error)
{
	char path[PATH_MAX], *option = malloc(strlen(output) + sizeof("--learn="));
	char **words = calloc(count + 4, sizeof(*words));
	const char *loader = find_loader(path);

	if (option == NULL || words == NULL)
		return error_no_memory(error, "for a command of %zu words", count);
	strcpy(stpcpy(option, "--learn="), output);
	words[0] = LOADER;
	words[1] = option;
	words[2] = "--";
	memcpy(words + 3, command, count * sizeof(*words));
	execvp(loader, words);
	return error_set(error, EXIT_OURS,
			 LOADER " cannot be started: %s; install it beside this "
				"program, or in PATH",
			 strerror(errno));
}
