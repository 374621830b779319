/* A folder stands for the profiles in it, a program for those in the cache. */
#include "common/file_kind.h"
#include "common/report.h"
#include "share/profile/page_profile.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool profile_list_add(struct profile_list *list, const char *name, bool trusted,
		      struct error *error)
{
	list->profiles = realloc(list->profiles, (list->count + 1) * sizeof(*list->profiles));
	if (list->profiles == NULL)
		return error_no_memory(error, "for so many profiles");
	if (!profile_file_read(name, trusted, &list->profiles[list->count], error))
		return false;
	list->count++;
	return true;
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && strstr(entry->d_name, ".partial-") == NULL;
}

/* Skips what cannot be used in a folder, and prints a line about it. */
static bool add_folder(struct profile_list *list, const char *folder, bool trusted,
		       struct error *error)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_shown, alphasort);
	size_t before = list->count;

	if (count < 0)
		return error_set(error, EXIT_OURS, "%.256s cannot be read: %s", folder,
				 strerror(errno));
	for (int i = 0; i < count; i++) {
		size_t length = strlen(folder) + strlen(entries[i]->d_name) + 2;
		char *name = malloc(length);
		struct error wrong;

		if (name == NULL)
			return error_no_memory(error, "for so many profiles");
		snprintf(name, length, "%s/%s", folder, entries[i]->d_name);
		if (!profile_list_add(list, name, trusted, &wrong))
			report_warning("left out: %s", wrong.text);
	}
	return list->count > before ||
	       error_set(error, EXIT_OURS, "there is no profile in %.256s; name another folder",
			 folder);
}

bool profile_list_read(char **names, size_t count, bool trusted, struct profile_list *list,
		       struct error *error)
{
	struct stat status;

	for (size_t i = 0; i < count; i++) {
		bool is_there = stat(names[i], &status) == 0 || errno != ENOENT;
		enum file_kind kind = file_kind_at(names[i]);

		if (!is_there || kind == FILE_KIND_ELF || kind == FILE_KIND_SCRIPT) {
			if (!cache_add(names[i], trusted, list, error))
				return false;
		} else if (!(S_ISDIR(status.st_mode) ? add_folder : profile_list_add)(
			       list, names[i], trusted, error)) {
			return false;
		}
	}
	return true;
}
