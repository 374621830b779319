#include "common/program_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where execvp looks when PATH is not set, as confstr(_CS_PATH) says. */
#define DEFAULT_SEARCH_PATH "/bin:/usr/bin"

/* True if execve would get as far as reading the file; errno says why not. */
static bool is_executable(const char *path)
{
	struct stat status;

	if (faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) != 0)
		return false;
	if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
		return true;
	errno = EACCES;
	return false;
}

/* path = directory "/" name, an empty directory being the working one; false if too long. */
static bool join_path(char path[PATH_MAX], const char *directory, size_t length, const char *name)
{
	size_t name_length = strlen(name);

	if (length + 1 + name_length + 1 > PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(path, directory, length);
	if (length > 0)
		path[length++] = '/';
	memcpy(path + length, name, name_length + 1);
	return true;
}

/*
 * Looks in the directories of PATH. Like execvp, goes on past a file that may not be executed,
 * but remembers it: EACCES tells the user more than ENOENT.
 */
static bool search_path(const char *name, char path[PATH_MAX])
{
	const char *directory = getenv("PATH");
	bool denied = false;

	if (directory == NULL)
		directory = DEFAULT_SEARCH_PATH;
	for (;;) {
		size_t length = strcspn(directory, ":");

		if (join_path(path, directory, length, name) && is_executable(path))
			return true;
		denied = denied || errno == EACCES;
		if (directory[length] == '\0')
			break;
		directory += length + 1;
	}
	errno = denied ? EACCES : ENOENT;
	return false;
}

static bool locate(const char *name, char path[PATH_MAX])
{
	if (*name == '\0') {
		errno = ENOENT;
		return false;
	}
	if (strchr(name, '/') == NULL)
		return search_path(name, path);
	return join_path(path, "", 0, name) && is_executable(path);
}

/* The sentence for a file that exec would refuse before looking into it. */
static bool refuse(const char *path, int reason, struct error *error)
{
	struct stat status;

	if (reason == ENOENT)
		return error_set(error, EXIT_NOT_FOUND, "no such file");
	if (reason == EACCES && stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return error_set(error, EXIT_NOT_LOADABLE, "%s",
				 S_ISDIR(status.st_mode) ? "is a directory"
							 : "is not a regular file");
	if (reason == EACCES)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "may not be executed: permission is missing, or the file system "
				 "is mounted noexec");
	return error_set(error, EXIT_NOT_LOADABLE, "cannot be reached: %s", strerror(reason));
}

bool program_file_open(const char *name, struct program_file *file, struct error *error)
{
	struct stat status;

	if (!locate(name, file->path))
		return refuse(name, errno, error);
	file->descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (file->descriptor < 0 && errno == EACCES)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "may be executed but not read, and a loader has to read it");
	if (file->descriptor < 0)
		return error_set(error, errno == ENOENT ? EXIT_NOT_FOUND : EXIT_OURS,
				 "cannot be opened: %s", strerror(errno));
	if (fstat(file->descriptor, &status) != 0 || !S_ISREG(status.st_mode))
		return error_set(error, EXIT_NOT_LOADABLE, "is not a regular file");
	file->size = (uint64_t)status.st_size;
	file->sets_id = (status.st_mode & S_ISUID) != 0 ||
			(status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP);
	return true;
}
