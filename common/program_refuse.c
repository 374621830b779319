#include "common/program_refuse.h"
#include "common/file_kind.h"
#include "common/program_suggest.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Whether this user may change the permissions of a file. */
static bool may_change(const struct stat *status)
{
	return geteuid() == 0 || geteuid() == status->st_uid;
}

/* Whether the file's mode permits this user an access; security modules are not asked. */
static bool permits(const char *path, int access)
{
	return faccessat(AT_FDCWD, path, access, AT_EACCESS) == 0;
}

/*
 * Refuses a regular file without execute permission. If the file is neither ELF nor a script, the
 * sentence says that instead: chmod would not help.
 */
static bool refuse_mode(const char *path, const struct stat *status, struct error *error)
{
	enum file_kind kind = file_kind_at(path);

	if (kind == FILE_KIND_TEXT || kind == FILE_KIND_OTHER)
		return file_kind_refuse(kind, error);
	if (may_change(status))
		return error_set(error, EXIT_NOT_LOADABLE,
				 "may not be executed: permission is missing; chmod +x it");
	if (kind == FILE_KIND_UNREADABLE)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "may neither be executed nor read by this user: ask its owner for "
				 "both");
	return error_set(error, EXIT_NOT_LOADABLE,
			 "may not be executed: permission is missing, and it is another user's; "
			 "chmod +x a copy of it");
}

/* Sets the sentence for the reason of an EACCES. */
static bool refuse_denied(const char *path, struct error *error)
{
	struct statvfs system;
	struct stat status;

	if (stat(path, &status) != 0)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "may not be executed: a directory above it may not be searched by "
				 "this user; ask its owner for chmod +x");
	if (S_ISDIR(status.st_mode))
		return error_set(error, EXIT_NOT_LOADABLE, "is a directory: name a program in it");
	if (!S_ISREG(status.st_mode))
		return error_set(error, EXIT_NOT_LOADABLE,
				 "is not a regular file: name one, or pass a program on standard "
				 "input, as in LOADER - <FILE");
	if (statvfs(path, &system) == 0 && (system.f_flag & ST_NOEXEC) != 0)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "may not be executed: its file system is mounted noexec; copy it "
				 "to another");
	if (permits(path, X_OK))
		return error_set(error, EXIT_NOT_LOADABLE,
				 "may not be executed: a security policy forbids it (Landlock, "
				 "SELinux, IMA); permit it there, or copy it to where the policy "
				 "permits it");
	return refuse_mode(path, &status, error);
}

static bool refuse_unreadable(const char *path, struct error *error)
{
	struct stat status;
	bool is_own = stat(path, &status) == 0 && may_change(&status);

	if (permits(path, R_OK))
		return error_set(error, EXIT_NOT_LOADABLE,
				 "may not be read: a security policy forbids it (Landlock, "
				 "SELinux), and a loader has to read it; permit it there");
	return error_set(error, EXIT_NOT_LOADABLE,
			 "may be executed but not read, and a loader has to read it: %schmod +r it",
			 is_own ? "" : "ask its owner to ");
}

/*
 * Refuses a name that is not in PATH, but is that of a file or folder in the working directory
 * which is no program either: the sentence says why. Returns true if it is not such a name.
 */
static bool refuse_here(const char *name, struct error *error)
{
	char path[NAME_MAX + 3];
	enum file_kind kind;
	struct stat status;

	snprintf(path, sizeof(path), "./%s", name);
	if (strchr(name, '/') != NULL || stat(path, &status) != 0)
		return true;
	kind = file_kind_at(path);
	if (kind == FILE_KIND_TEXT || kind == FILE_KIND_OTHER)
		file_kind_refuse(kind, error);
	else if (kind == FILE_KIND_NONE || !permits(path, X_OK))
		refuse_denied(path, error);
	else
		return true;
	error_about(error, "no such file in PATH, and %s ", path);
	error->status = EXIT_NOT_FOUND;
	return false;
}

static bool refuse_absent(const char *name, const char *search_path, struct error *error)
{
	const char *where = strchr(name, '/') == NULL ? " in PATH" : "";
	char meant[PATH_MAX];

	if (*name == '\0')
		return error_set(error, EXIT_NOT_FOUND, "the program's name is empty: name one");
	if (!refuse_here(name, error))
		return false;
	error_set(error, EXIT_NOT_FOUND, "no such file%s: ", where);
	if (program_suggest(name, search_path, meant))
		error_add(error, "did you mean %s?", meant);
	else if (*where != '\0' && strchr(name, '=') != NULL)
		error_add(error, "to set a variable, write env %.64s before the program", name);
	else if (strchr(name, ' ') != NULL)
		error_add(error, "if that is a program with arguments, leave out the quotes");
	else
		error_add(error, "check its %s", *where != '\0' ? "name" : "path");
	return false;
}

bool program_refuse(const char *name, const char *path, const char *search_path, int reason,
		    struct error *error)
{
	if (reason == ENOENT)
		return refuse_absent(name, search_path, error);
	if (reason == EACCES)
		return refuse_denied(path, error);
	if (reason == EPERM)
		return refuse_unreadable(path, error);
	if (reason == ETXTBSY)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "may not be executed: a process has it open for writing; wait "
				 "until that process is done");
	if (reason == ENOSYS)
		return error_set(
		    error, EXIT_NOT_LOADABLE,
		    "may not be executed: SECBIT_EXEC_RESTRICT_FILE requires a check by "
		    "execveat, and a filter denies that call; permit it in the filter");
	return error_set(error, EXIT_NOT_LOADABLE, "cannot be opened: %s; %s", strerror(reason),
			 reason == EMFILE ? "raise the limit of open files (ulimit -n)"
					  : "check its path");
}
