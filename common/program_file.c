#include "common/program_file.h"
#include "common/kernel_abi.h"
#include "common/program_refuse.h"
#include "common/record_locks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The folders that execvp searches if PATH is not set, as confstr(_CS_PATH) returns them. */
#define DEFAULT_SEARCH_PATH "/bin:/usr/bin"

#define INPUT_BUFFER_BYTES 65536

/* Whether this process may execute the open file: access(2) with the effective IDs. */
static bool may_execute(int descriptor, const char *path)
{
	if (syscall(KERNEL_SYS_FACCESSAT2, descriptor, "", X_OK, AT_EACCESS | AT_EMPTY_PATH) == 0)
		return true;
	/* Linux before 5.8 lacks faccessat2. */
	if (errno == ENOSYS)
		return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0;
	/* Seccomp filters of older containers deny unknown calls. */
	return errno == EPERM && access(path, X_OK) == 0;
}

static void take_candidate(const struct stat *status, struct program_file *file)
{
	file->size = (uint64_t)status->st_size;
	file->sets_id = (status->st_mode & S_ISUID) != 0 ||
			(status->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP);
	file->locked = record_locks_found(file->descriptor);
	if (file->locked)
		syscall(SYS_fcntl, file->descriptor, F_SETFD, 0);
}

/*
 * Opens a file that execve would have read. Calls stat(2) first: opening a device can have effects.
 * On failure errno has the reason: EACCES as for execve; EPERM for a file that may be executed but
 * not read.
 */
static bool open_candidate(const char *path, enum exec_use use, struct program_file *file)
{
	struct stat status;
	int reason = EACCES;

	if (stat(path, &status) != 0)
		return false;
	errno = EACCES;
	if (!S_ISREG(status.st_mode))
		return false;
	/*
	 * openat() is not used: musl's sets FD_CLOEXEC by an additional call, for kernels that
	 * ignored the flag.
	 */
	file->descriptor =
	    (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (file->descriptor < 0) {
		if (errno == EACCES && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0)
			errno = EPERM;
		return false;
	}
	if (fstat(file->descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
	    may_execute(file->descriptor, path)) {
		if (exec_check(file->descriptor, use)) {
			/*
			 * Reads of headers would look like the start of a sequential read. The
			 * kernel would mark a page, and read on, up to the device's limit, when the
			 * program touches that page (do_async_mmap_readahead() in mm/filemap.c).
			 * posix_fadvise() is not used: its code is on a page of its own, 2.5 us.
			 */
			syscall(SYS_fadvise64, file->descriptor, 0L, 0L, POSIX_FADV_RANDOM);
			take_candidate(&status, file);
			return true;
		}
		reason = errno;
	}
	close(file->descriptor);
	errno = reason;
	return false;
}

/* path = `directory/name`, or `name` if the directory is empty. */
static const char *join_path(char *path, const char *directory, size_t length, const char *name)
{
	memcpy(path, directory, length);
	if (length > 0)
		path[length++] = '/';
	strcpy(path + length, name);
	return path;
}

/* Whether the error means that there is no such file: then execvp tries the next directory. */
static bool is_absent(int reason)
{
	return reason == ENOENT || reason == ENOTDIR || reason == ESTALE || reason == ENODEV ||
	       reason == ETIMEDOUT;
}

static const char *search_list(void)
{
	const char *list = getenv("PATH");

	return list != NULL ? list : DEFAULT_SEARCH_PATH;
}

/*
 * Searches the directories of PATH. Like execvp, it skips directories whose names are too long. It
 * continues after a file that may not be executed, but remembers it. It stops at any other error.
 */
static bool search_path(const char *name, struct program_file *file)
{
	/*
	 * Static, so that a search after one without success needs no further memory; not an array,
	 * to keep .bss on one page.
	 */
	static char *path;
	const char *directory = search_list(), *denied = NULL;
	size_t length, denied_length = 0;

	if (path == NULL)
		path = malloc(PATH_MAX);
	if (path == NULL)
		return false;
	for (;; directory += length + 1) {
		length = strcspn(directory, ":");
		if (length + 1 + strlen(name) < PATH_MAX) {
			file->path = join_path(path, directory, length, name);
			if (open_candidate(path, EXEC_PROGRAM, file)) {
				path = NULL; /* it belongs to the file from here on */
				return true;
			}
			if (errno == EACCES || errno == EPERM) {
				denied = directory;
				denied_length = length;
			} else if (!is_absent(errno)) {
				return false;
			}
		}
		if (directory[length] == '\0')
			break;
	}
	if (denied != NULL)
		join_path(path, denied, denied_length, name);
	errno = denied != NULL ? EACCES : ENOENT;
	return false;
}

static bool locate(const char *name, struct program_file *file)
{
	file->path = name;
	errno = *name == '\0' ? ENOENT : ENAMETOOLONG;
	if (*name == '\0' || (strchr(name, '/') == NULL && strlen(name) > NAME_MAX))
		return false;
	if (strchr(name, '/') == NULL)
		return search_path(name, file);
	return open_candidate(name, EXEC_PROGRAM, file);
}

/* Copies standard input to its end. Returns false with errno. */
static bool copy_input(int descriptor, uint64_t *size)
{
	char *buffer = malloc(INPUT_BUFFER_BYTES);
	ssize_t got;

	if (buffer == NULL)
		return false;
	while ((got = read(STDIN_FILENO, buffer, INPUT_BUFFER_BYTES)) != 0) {
		if (got < 0)
			return false;
		for (ssize_t put, at = 0; at < got; at += put)
			if ((put = write(descriptor, buffer + at, (size_t)(got - at))) < 0)
				return false;
		*size += (uint64_t)got;
	}
	return true;
}

/*
 * A program from a pipe has no file that could be mapped, so it is copied to a file in memory. The
 * system decides whether that file may be executed (memfd_create(2), vm.memfd_noexec).
 */
static bool open_input(struct program_file *file, struct error *error)
{
	*file = (struct program_file){.path = PROGRAM_FILE_INPUT};
	if (fcntl(STDIN_FILENO, F_GETFD) < 0)
		return error_set(error, EXIT_OURS,
				 "standard input is closed: redirect it, as in LOADER - <PROGRAM");
	if (!exec_check_input(STDIN_FILENO))
		return error_set(error, EXIT_NOT_LOADABLE,
				 "may not be executed: code from standard input is forbidden here "
				 "(SECBIT_EXEC_DENY_INTERACTIVE); name a file instead");
	file->descriptor = (int)syscall(SYS_memfd_create, "program", KERNEL_MFD_CLOEXEC);
	if (file->descriptor < 0)
		return error_set(error, EXIT_OURS,
				 "there is no memory for a program from standard "
				 "input: %s; name a file instead",
				 strerror(errno));
	if (!copy_input(file->descriptor, &file->size))
		return error_set(error, EXIT_OURS,
				 "standard input cannot be read: %s; name a file instead",
				 strerror(errno));
	if (!may_execute(file->descriptor, "/proc/self/fd/0"))
		return error_set(error, EXIT_NOT_LOADABLE,
				 "may not be executed: vm.memfd_noexec forbids that for a file in "
				 "memory; name a file instead");
	return true;
}

bool program_file_open_path(const char *path, enum exec_use use, struct program_file *file,
			    struct error *error)
{
	/* The kernel interprets an empty path as the working directory. */
	file->path = *path != '\0' ? path : ".";
	return open_candidate(file->path, use, file) ||
	       program_refuse(path, file->path, search_list(), errno, error);
}

bool program_file_open(const char *name, struct program_file *file, struct error *error)
{
	if (strcmp(name, PROGRAM_FILE_INPUT) == 0)
		return open_input(file, error);
	if (!locate(name, file))
		return program_refuse(name, file->path, search_list(), errno, error);
	return true;
}

void program_file_close(const struct program_file *file)
{
	if (!file->locked)
		close(file->descriptor);
}
