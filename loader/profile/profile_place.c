#include "loader/profile/profile_place.h"

#include "common/arch/bytes.h"
#include "loader/files/read_ahead.h"
#include "loader/profile/profile_older.h"
#include "loader/profile/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#define ANOTHER_PLACE "name a file instead of auto"

/* snprintf is not used: its code would have to be brought in at every start with a profile. */
static bool append(char path[PROFILE_PATH_LENGTH], const char *text, struct error *error)
{
	uint64_t length = bytes_append(path, strlen(path), PROFILE_PATH_LENGTH, text);

	if (length == PROFILE_PATH_LENGTH)
		return error_set(error, EXIT_OURS,
				 "%.256s...: the path is too long; name a shorter one", path);
	path[length] = '\0';
	return true;
}

/* XDG Base Directory Specification: a path that is not absolute is ignored. */
static bool find_cache(char cache[PROFILE_PATH_LENGTH], struct error *error)
{
	const char *folder = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool has_folder = folder != NULL && folder[0] == '/';

	if (!has_folder && (home == NULL || home[0] != '/'))
		return error_set(
		    error, EXIT_OURS,
		    "neither XDG_CACHE_HOME nor HOME names a directory for profiles; name a "
		    "file or a directory");
	return append(cache, has_folder ? folder : home, error) &&
	       (has_folder || append(cache, "/.cache", error)) &&
	       append(cache, "/" PROFILE_CACHE_NAME, error);
}

/* Splits off the folder of a path. Returns the name inside that folder. */
static const char *split(const char *path, char folder[PROFILE_PATH_LENGTH])
{
	size_t length = strlen(path);

	memcpy(folder, path, length + 1);
	while (length > 1 && folder[length - 1] == '/')
		folder[--length] = '\0';
	while (length > 0 && folder[length - 1] != '/')
		length--;
	folder[length > 0 ? length - 1 : 0] = '\0';
	return path + length;
}

/* The effective user, from the auxiliary vector: geteuid(2) would be one more system call. */
static uid_t user(void)
{
	return (uid_t)getauxval(AT_EUID);
}

/* Another user's link may lead anywhere, and may change at any moment. */
static bool may_follow(const struct stat *link)
{
	return link->st_uid == 0 || link->st_uid == user();
}

static int walk(const char *folder)
{
	static const struct walk_rules rules = {.may_follow = may_follow};

	return walk_open(folder[0] != '\0' ? folder : "/", &rules);
}

/*
 * Opens the cache in one call or, if there is a link on the way, step by step. Returns -1 with
 * errno.
 */
static int open_cache(const char *cache)
{
	char around[PROFILE_PATH_LENGTH];
	int opened = walk_straight(cache);
	const char *name;
	int parent;

	if (opened >= 0 || errno == ENOENT)
		return opened;
	name = split(cache, around);
	parent = walk(around);
	if (parent < 0)
		return -1;
	opened = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	close(parent);
	return opened;
}

/*
 * Opens the folder around the cache, and takes what an older version has left there. Returns -1
 * with errno.
 */
static int open_older(char *cache)
{
	char *slash = strrchr(cache, '/');
	int around, older;

	*slash = '\0';
	around = walk_straight(cache);
	if (around < 0 && errno != ENOENT)
		around = walk(cache);
	*slash = '/';
	if (around < 0)
		return -1;
	older = profile_older_take_folder(around);
	close(around);
	return older;
}

static bool cannot(const char *what, const char *path, struct error *error)
{
	if (errno == EPERM)
		return error_set(error, EXIT_OURS,
				 "the directory %.256s cannot be %s: a link on the way to it is "
				 "another user's; " ANOTHER_PLACE,
				 path, what);
	if (errno == ELOOP || errno == ENOTDIR)
		return error_set(error, EXIT_OURS,
				 "%.256s is no directory, or is a link, or the way to it is none; "
				 "remove it, or " ANOTHER_PLACE,
				 path);
	return error_set(error, EXIT_OURS, "the directory %.256s cannot be %s: %m; " ANOTHER_PLACE,
			 path, what);
}

/* Refuses a profile that another user could have made or exchanged. */
static bool check_cache(struct profile_place *place, const char *cache, bool make,
			struct error *error)
{
	struct stat status;

	if (fstat(place->folder, &status) != 0)
		return cannot("looked at", cache, error);
	place->owner = status.st_uid;
	if (status.st_uid != user())
		return error_set(
		    error, EXIT_OURS,
		    "%.256s belongs to user %u, and the loader runs as user %u; " ANOTHER_PLACE,
		    cache, status.st_uid, user());
	/* A folder that an older loader has made may be open to others; it is closed. */
	if (make && (status.st_mode & 0777) != 0700 && fchmod(place->folder, 0700) == 0)
		status.st_mode = 0700;
	if ((status.st_mode & 022) != 0)
		return error_set(
		    error, EXIT_OURS,
		    "other users may write to %.256s; close it (chmod 700), or " ANOTHER_PLACE,
		    cache);
	return !make || faccessat(place->folder, ".", W_OK | X_OK, 0) == 0 ||
	       cannot("written to", cache, error);
}

/* Keeps the opened folder if it may be used. */
static bool use_cache(struct profile_place *place, const char *cache, bool make,
		      struct error *error)
{
	if (place->folder < 0)
		return cannot("opened", cache, error);
	if (check_cache(place, cache, make, error))
		return true;
	profile_place_close(place);
	return false;
}

static bool open_if_there(struct profile_place *place, struct error *error)
{
	char *end = &place->path[place->cache_length];
	bool good;

	*end = '\0';
	place->folder = open_cache(place->path);
	if (place->folder < 0 && errno == ENOENT && (place->folder = open_older(place->path)) < 0)
		place->folder = open_cache(place->path); /* another start may have moved it */
	good =
	    (place->folder < 0 && errno == ENOENT) || use_cache(place, place->path, false, error);
	*end = '/';
	return good;
}

bool profile_place_find(const char *value, const char *key, struct profile_place *place,
			struct error *error)
{
	struct stat status;

	place->path[0] = '\0';
	place->name = NULL;
	place->cache_length = 0;
	place->folder = -1;
	if (strcmp(value, "auto") == 0) {
		if (!find_cache(place->path, error))
			return false;
		place->cache_length = strlen(place->path);
	} else {
		if (!append(place->path, value, error))
			return false;
		if (stat(place->path, &status) != 0 || !S_ISDIR(status.st_mode))
			return true;
	}
	if (!append(place->path, "/", error) || !append(place->path, key, error))
		return false;
	place->name = place->path + strlen(place->path) - strlen(key);
	return place->cache_length == 0 || open_if_there(place, error);
}

/*
 * Makes a folder, if it is missing, inside an open one. Root makes none inside another user's
 * folder: its owner may have chosen where it is, and may exchange it.
 */
static bool make_in(int parent, const char *path, const char *around, const char *name,
		    struct error *error)
{
	struct stat status;

	if (fstat(parent, &status) != 0)
		return cannot("made", path, error);
	if (user() == 0 && status.st_uid != 0)
		return error_set(
		    error, EXIT_OURS,
		    "root makes no directory in %.256s, which is user %u's; " ANOTHER_PLACE, around,
		    status.st_uid);
	return mkdirat(parent, name, 0700) == 0 || errno == EEXIST || cannot("made", path, error);
}

/* Does the same, and may have to make the folder around it, too. */
static bool make_folder(const char *path, bool around_too, struct error *error)
{
	char around[PROFILE_PATH_LENGTH];
	const char *name = split(path, around);
	int parent = walk(around);
	bool made;

	if (parent < 0 && errno == ENOENT && around_too) {
		if (!make_folder(around, false, error))
			return false;
		parent = walk(around);
	}
	if (parent < 0)
		return cannot("made", path, error);
	made = make_in(parent, path, around, name, error);
	close(parent);
	return made;
}

static void write_cache(const struct profile_place *place, char cache[PROFILE_PATH_LENGTH])
{
	memcpy(cache, place->path, place->cache_length);
	cache[place->cache_length] = '\0';
}

bool profile_place_make(struct profile_place *place, struct error *error)
{
	char cache[PROFILE_PATH_LENGTH];

	if (place->cache_length == 0)
		return true;
	write_cache(place, cache);
	if (place->folder < 0)
		place->folder = open_cache(cache);
	if (place->folder < 0 && errno == ENOENT) {
		if (!make_folder(cache, true, error))
			return false;
		place->folder = open_cache(cache);
	}
	return use_cache(place, cache, true, error);
}

int profile_place_open(const struct profile_place *place)
{
	if (place->folder >= 0) {
		int file = file_open_unnoticed(place->folder, place->name, O_NOFOLLOW);

		if (file >= 0 || errno != ENOENT)
			return file;
		return profile_older_take_profile(place->folder, place->name);
	}
	if (place->cache_length == 0)
		return file_open_unnoticed(AT_FDCWD, place->path, 0);
	errno = ENOENT;
	return -1;
}

void profile_place_close(struct profile_place *place)
{
	if (place->folder >= 0)
		close(place->folder);
	place->folder = -1;
}
