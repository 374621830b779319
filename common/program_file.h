/* Finding and opening the program that the user named, as execvp(3) and execve(2) would. */
#ifndef COMMON_PROGRAM_FILE_H
#define COMMON_PROGRAM_FILE_H

#include "common/error.h"
#include "common/exec_check.h"

#include <stdint.h>

struct program_file {
	int descriptor;	  /* open for reading, close-on-exec; for program_file_close() */
	uint64_t size;	  /* bytes */
	bool sets_id;	  /* set-user-ID or set-group-ID: a privilege that exec would give */
	bool locked;	  /* has record locks: its descriptor is left open, over execve as well */
	const char *path; /* what execve would have been called with: AT_EXECFN */
};

/* The name that stands for standard input. */
#define PROGRAM_FILE_INPUT "-"

/*
 * Opens the program. A name with a slash is a path; any other is looked up in the directories of
 * PATH, where an empty one means the working directory. The checks are those of execve: a regular
 * file, executable by us, on a file system that is not mounted noexec, permitted by exec_check().
 * "-" is standard input, which is read to its end. Errors: EXIT_NOT_FOUND where there is nothing of
 * that name, EXIT_NOT_LOADABLE otherwise.
 */
bool program_file_open(const char *name, struct program_file *file, struct error *error);

/*
 * Opens a path as it stands, with the same checks: of the interpreter that a program or a script
 * names.
 */
bool program_file_open_path(const char *path, enum exec_use use, struct program_file *file,
			    struct error *error);

/*
 * Closes the file's descriptor. Not where it has record locks: whoever closes any descriptor of a
 * file loses all that his process holds on it (fcntl(2)), and the program may hold some since
 * before exec.
 */
void program_file_close(const struct program_file *file);

#endif
