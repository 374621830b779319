/* page-profile list and forget: the profiles of the user's cache. */
#include "common/printable.h"
#include "common/report.h"
#include "loader/profile/profile_place.h"
#include "share/profile/page_profile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct row {
	time_t used;
	const char *entry; /* the file in the cache */
	struct profile_file profile;
};

struct rows {
	struct row *rows;
	size_t count;
};

/* The program's path, or its name as it was typed where no run was learned from. */
static const char *program_of(const struct profile_file *profile)
{
	const struct known_files *files = &profile->text.profile.files;

	return files->count > 0 && files->files[0].role == FILE_PROGRAM ? files->files[0].path
									: profile->text.program;
}

/* Opens the cache; place->folder is -1 if there is none. */
static bool open_cache(struct profile_place *place, struct error *error)
{
	if (!profile_place_find("auto", "", place, error))
		return false;
	place->path[place->cache_length] = '\0';
	return true;
}

/* Each has a separate place in the folder. */
static DIR *begin_listing(const struct profile_place *place)
{
	return fdopendir(openat(place->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

static bool read_row(const struct profile_place *place, const char *entry, struct row *row)
{
	char path[PROFILE_PATH_LENGTH + NAME_MAX];
	struct stat status;
	struct error error;

	snprintf(path, sizeof(path), "%s/%s", place->path, entry);
	if (fstatat(place->folder, entry, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
	    !S_ISREG(status.st_mode) || !profile_file_read(path, false, &row->profile, &error))
		return false;
	row->used = status.st_atim.tv_sec > status.st_mtim.tv_sec ? status.st_atim.tv_sec
								  : status.st_mtim.tv_sec;
	row->profile.name = strdup(path);
	row->entry = strdup(entry);
	return row->profile.name != NULL && row->entry != NULL;
}

static bool read_rows(const struct profile_place *place, struct rows *rows, struct error *error)
{
	DIR *folder = begin_listing(place);
	const struct dirent *entry;

	if (folder == NULL)
		return error_set(error, EXIT_OURS, "%.256s cannot be read: %s", place->path,
				 strerror(errno));
	while ((entry = readdir(folder)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		rows->rows = realloc(rows->rows, (rows->count + 1) * sizeof(*rows->rows));
		if (rows->rows == NULL)
			return error_no_memory(error, "for so many profiles");
		rows->count += read_row(place, entry->d_name, &rows->rows[rows->count]);
	}
	closedir(folder);
	return true;
}

static int compare(const void *one, const void *other)
{
	const struct row *a = one, *b = other;

	return a->used != b->used ? (a->used < b->used) - (a->used > b->used)
				  : strcmp(a->entry, b->entry);
}

static void print_row(const struct row *row)
{
	const struct known_files *files = &row->profile.text.profile.files;
	char day[16] = "", path[4096];
	struct tm *time = localtime(&row->used);

	if (time != NULL)
		strftime(day, sizeof(day), "%Y-%m-%d", time);
	printf("%10s  %5" PRIu64 "  %8" PRIu64 "  %s  %s\n", day, files->learned,
	       all_bytes(files) >> 10,
	       printable_line(program_of(&row->profile), path, sizeof(path)), row->entry);
}

bool cache_list(struct error *error)
{
	struct profile_place place;
	struct rows rows = {.count = 0};

	if (!open_cache(&place, error))
		return false;
	if (place.folder >= 0 && !read_rows(&place, &rows, error))
		return false;
	if (rows.count == 0) {
		report_warning("there is no profile in %s yet; pagewise run --learn makes one, and "
			       "with -v prints why not",
			       place.path);
		return true;
	}
	qsort(rows.rows, rows.count, sizeof(*rows.rows), compare);
	puts("  last use   runs       KiB  program, profile");
	for (size_t i = 0; i < rows.count; i++)
		print_row(&rows.rows[i]);
	return true;
}

/* A program's path, its last component, or the name of the profile's file. */
static bool is_meant(const struct row *row, const char *name)
{
	const char *program = program_of(&row->profile), *slash = strrchr(program, '/');

	return strcmp(program, name) == 0 || strcmp(row->entry, name) == 0 ||
	       (slash != NULL && strcmp(slash + 1, name) == 0);
}

bool cache_add(const char *name, bool trusted, struct profile_list *list, struct error *error)
{
	struct profile_place place;
	struct rows rows = {.count = 0};
	size_t before = list->count;

	if (!open_cache(&place, error) || (place.folder >= 0 && !read_rows(&place, &rows, error)))
		return false;
	for (size_t i = 0; i < rows.count; i++)
		if (is_meant(&rows.rows[i], name) &&
		    !profile_list_add(list, rows.rows[i].profile.name, trusted, error))
			return false;
	return list->count > before ||
	       error_set(error, EXIT_OURS,
			 "%.256s is no profile, and no profile in %.256s is of such a program; "
			 "pagewise profile list prints those",
			 name, place.path);
}

static bool forget_one(const struct profile_place *place, const char *entry, struct error *error)
{
	return unlinkat(place->folder, entry, 0) == 0 ||
	       error_set(error, EXIT_OURS, "%.256s/%.256s cannot be removed: %s", place->path,
			 entry, strerror(errno));
}

static bool forget_named(const struct profile_place *place, const char *name, struct error *error)
{
	struct rows rows = {.count = 0};
	size_t forgotten = 0;

	if (place->folder >= 0 && !read_rows(place, &rows, error))
		return false;
	for (size_t i = 0; i < rows.count; i++) {
		if (!is_meant(&rows.rows[i], name))
			continue;
		if (!forget_one(place, rows.rows[i].entry, error))
			return false;
		printf("%s: forgotten\n", rows.rows[i].entry);
		forgotten++;
	}
	return forgotten > 0 ||
	       error_set(
		   error, EXIT_OURS,
		   "there is no profile of %.256s in %.256s; pagewise profile list prints those",
		   name, place->path);
}

/* Damaged profiles, and what a killed writer left, too. */
static bool forget_all(const struct profile_place *place, struct error *error)
{
	DIR *folder = place->folder >= 0 ? begin_listing(place) : NULL;
	const struct dirent *entry;
	struct stat status;
	size_t forgotten = 0;

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		if (fstatat(place->folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISREG(status.st_mode))
			continue;
		if (!forget_one(place, entry->d_name, error))
			return false;
		forgotten++;
	}
	printf("%zu file%s of %s removed\n", forgotten, plural(forgotten), place->path);
	return true;
}

bool cache_forget(char **names, size_t count, bool all, struct error *error)
{
	struct profile_place place;

	if (!open_cache(&place, error))
		return false;
	if (all)
		return forget_all(&place, error);
	for (size_t i = 0; i < count; i++)
		if (!forget_named(&place, names[i], error))
			return false;
	return true;
}
