#include "loader/profile/profile_older.h"

#include "loader/files/read_ahead.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OLDER_NAME "elf-profiles"

/* RENAME_NOREPLACE of linux/fs.h, which musl does not name. */
#define KEEP_WHAT_IS_THERE 1

static int open_older(int folder, const char *name)
{
	return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/*
 * Whether a folder is the user's own. A folder that another user could have made or filled is not
 * used.
 */
static bool is_own(int folder)
{
	struct stat status;

	return fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
	       (status.st_mode & 022) == 0;
}

/*
 * Whether the loader may rename here. Root renames nothing in another user's folder, and makes no
 * cache there either.
 */
static bool may_rename_in(int folder)
{
	struct stat status;

	return geteuid() != 0 || (fstat(folder, &status) == 0 && status.st_uid == 0);
}

int profile_older_take_folder(int around)
{
	int older = open_older(around, OLDER_NAME);

	if (older < 0)
		return -1;
	if (!is_own(older)) {
		errno = ENOENT;
	} else if (!may_rename_in(around) ||
		   syscall(SYS_renameat2, around, OLDER_NAME, around, PROFILE_CACHE_NAME,
			   KEEP_WHAT_IS_THERE) == 0 ||
		   (errno != EEXIST && errno != ENOENT)) {
		return older;
	}
	close(older);
	return -1;
}

int profile_older_take_profile(int cache, const char *name)
{
	int older = open_older(cache, "../" OLDER_NAME), file = -1;

	if (older < 0 || !is_own(older)) {
		errno = ENOENT;
	} else {
		syscall(SYS_renameat2, older, name, cache, name, KEEP_WHAT_IS_THERE);
		file = file_open_unnoticed(cache, name, O_NOFOLLOW);
		if (file < 0)
			file = file_open_unnoticed(older, name, O_NOFOLLOW);
	}
	if (older >= 0) {
		int reason = errno;

		close(older);
		errno = reason;
	}
	return file;
}
