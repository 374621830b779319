#include "loader/profile/expire.h"

#include "common/clock.h"
#include "loader/files/read_ahead.h"
#include "loader/profile/local_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DAY		(INT64_C(24) * 60 * 60)
#define UNUSED_DAYS	90
#define GONE_DAYS	7 /* until a missing program counts as gone: a disk may be away for some days */
#define ENTRIES_MAX	4096
#define BEGINNING_BYTES (64 * 1024) /* of a profile: one of its first lines is the program's */

/* A folder, so that it is not mistaken for a profile. Its time is that of the last cleanup. */
#define MARK ".looked-through"

static int64_t later(int64_t one, int64_t other)
{
	return one > other ? one : other;
}

/* Whether a cleanup is due. If it is, the next one is due in a day. */
static bool is_due(int cache)
{
	struct stat status;

	if (mkdirat(cache, MARK, 0700) == 0)
		return true;
	return fstatat(cache, MARK, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       status.st_mtim.tv_sec + DAY < clock_real().tv_sec &&
	       utimensat(cache, MARK, NULL, AT_SYMLINK_NOFOLLOW) == 0;
}

/* The program's line: "p SIZE SECONDS NANOSECONDS RANGES BUILD-ID PATH". NULL: there is none. */
static char *find_program(char *text, uint64_t *size)
{
	char *line = strstr(text, "\np "), *end;

	if (line == NULL)
		return NULL;
	*size = strtoul(line + 3, &line, 16);
	for (int i = 0; i < 4 && line != NULL; i++)
		line = strchr(line + 1, ' ');
	if (line == NULL || line[1] != '/' || (end = strchr(line, '\n')) == NULL)
		return NULL;
	*end = '\0';
	return line + 1;
}

/*
 * Whether the program is gone. If that cannot be determined, as on a server, the program counts as
 * there.
 */
static bool is_gone(struct local_mounts *mounts, char *text)
{
	uint64_t size;
	struct stat status;
	const char *path = find_program(text, &size);
	int found;

	if (path == NULL)
		return false;
	errno = 0;
	found = local_file_find(mounts, path, &status);
	if (found < 0)
		return errno == ENOENT || errno == ENOTDIR;
	close(found);
	return (uint64_t)status.st_size != size;
}

static bool is_profile(int cache, const char *name, char *text)
{
	int file = file_open_unnoticed(cache, name, O_NOFOLLOW);
	ssize_t length = file >= 0 ? read(file, text, BEGINNING_BYTES) : -1;

	if (file >= 0)
		close(file);
	text[length > 0 ? length : 0] = '\0';
	return strncmp(text, "page-profile ", strlen("page-profile ")) == 0;
}

static void look_at(int cache, const char *name, struct local_mounts *mounts, char *text)
{
	struct stat status;
	int64_t idle;

	if (fstatat(cache, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
		return;
	idle = clock_real().tv_sec - later(status.st_atim.tv_sec, status.st_mtim.tv_sec);
	if (strstr(name, ".partial-") != NULL) {
		if (idle > DAY)
			unlinkat(cache, name, 0);
	} else if (idle > GONE_DAYS * DAY && is_profile(cache, name, text) &&
		   (idle > UNUSED_DAYS * DAY || is_gone(mounts, text))) {
		unlinkat(cache, name, 0);
	}
}

void profile_expire(int cache)
{
	int again = is_due(cache) ? openat(cache, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	DIR *folder = again >= 0 ? fdopendir(again) : NULL;
	char *text = folder != NULL ? malloc(BEGINNING_BYTES + 1) : NULL;
	const struct dirent *entry;
	struct local_mounts mounts;

	if (text != NULL && local_mounts_read(&mounts)) {
		for (int i = 0; i < ENTRIES_MAX && (entry = readdir(folder)) != NULL; i++)
			look_at(cache, entry->d_name, &mounts, text);
		local_mounts_free(&mounts);
	}
	free(text);
	if (folder != NULL)
		closedir(folder);
	else if (again >= 0)
		close(again);
}
