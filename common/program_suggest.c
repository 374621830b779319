#include "common/program_suggest.h"

#include "common/file_kind.h"
#include "common/similar.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most names of a folder that are compared, so that a suggestion never takes long. */
#define NAMES_MAX 20000

struct search {
	const char *name; /* the name without its folder */
	unsigned best;
	char *meant; /* buffer of PATH_MAX bytes */
};

/*
 * Whether a file starts like a program. Executable text does not count: the suggestion would be
 * refused, too.
 */
static bool begins_as_program(int folder, const char *name)
{
	char bytes[4];
	int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
	ssize_t length = file >= 0 ? read(file, bytes, sizeof(bytes)) : 0;
	enum file_kind kind = file_kind_of(bytes, length > 0 ? (size_t)length : 0);

	if (file >= 0)
		close(file);
	return kind == FILE_KIND_ELF || kind == FILE_KIND_SCRIPT;
}

static bool is_program(int folder, const char *name)
{
	struct stat status;

	return fstatat(folder, name, &status, 0) == 0 && S_ISREG(status.st_mode) &&
	       faccessat(folder, name, X_OK, AT_EACCESS) == 0 && begins_as_program(folder, name);
}

/*
 * Keeps a name that is closer than the best so far. Of equally close names the first in the
 * alphabet wins, so that the order in the folder does not matter.
 */
static void offer(struct search *search, int folder, const char *prefix, const char *name,
		  char found[NAME_MAX + 1])
{
	unsigned distance = similar_distance(search->name, strlen(search->name), name);

	if (distance > search->best || distance == SIMILAR_NOT ||
	    (distance == search->best && (found[0] == '\0' || strcmp(name, found) >= 0)) ||
	    !is_program(folder, name))
		return;
	search->best = distance;
	snprintf(found, NAME_MAX + 1, "%s", name);
	snprintf(search->meant, PATH_MAX, "%.*s%s", PATH_MAX - NAME_MAX - 1, prefix, name);
}

/* `prefix` precedes a name that is found in this folder. */
static void look_in(struct search *search, const char *path, const char *prefix)
{
	DIR *folder = opendir(path);
	char found[NAME_MAX + 1] = "";
	const struct dirent *entry;

	if (folder == NULL)
		return;
	for (unsigned i = 0; i < NAMES_MAX && (entry = readdir(folder)) != NULL; i++)
		offer(search, dirfd(folder), prefix, entry->d_name, found);
	closedir(folder);
}

static void look_in_path(struct search *search, const char *list)
{
	char path[PATH_MAX];

	for (size_t length;; list += length + 1) {
		length = strcspn(list, ":");
		if (length < PATH_MAX) {
			snprintf(path, sizeof(path), "%.*s", (int)length, list);
			look_in(search, length > 0 ? path : ".", "");
		}
		if (list[length] == '\0')
			return;
	}
}

bool program_suggest(const char *name, const char *search_path, char meant[PATH_MAX])
{
	const char *slash = strrchr(name, '/');
	struct search search = {
	    .name = slash != NULL ? slash + 1 : name,
	    .best = SIMILAR_NOT,
	    .meant = meant,
	};
	char prefix[PATH_MAX];

	if (*search.name == '\0' || strlen(name) >= PATH_MAX)
		return false;
	if (slash != NULL) {
		snprintf(prefix, sizeof(prefix), "%.*s", (int)(slash + 1 - name), name);
		look_in(&search, prefix, prefix);
	} else {
		look_in_path(&search, search_path);
		look_in(&search, ".", "./");
	}
	return search.best != SIMILAR_NOT;
}
