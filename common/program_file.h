/* Finds and opens the program that the user named, as execvp(3) and execve(2) would. */
#pragma once

#include "common/error.h"
#include "common/exec_check.h"

#include <stdint.h>

struct program_file {
	int descriptor;	  /* open for reading, close-on-exec; closed by program_file_close() */
	uint64_t size;	  /* size in bytes */
	bool sets_id;	  /* set-user-ID or set-group-ID: a privilege that exec would give */
	bool locked;	  /* has record locks: its descriptor stays open, even over execve */
	const char *path; /* AT_EXECFN: as it was given, or allocated by the search in PATH */
};

/* The name for standard input. */
#define PROGRAM_FILE_INPUT "-"

/*
 * Opens the program. A name with a slash is a path. Any other name is searched in the directories
 * of PATH, where an empty one means the working directory. The checks are those of execve: a
 * regular file, executable for this process, on a file system that is not mounted noexec, permitted
 * by exec_check(). "-" means standard input, which is read to its end. Errors: EXIT_NOT_FOUND if
 * there is no file of that name, EXIT_NOT_LOADABLE otherwise.
 */
bool program_file_open(const char *name, struct program_file *file, struct error *error);

/*
 * Opens a path without searching, with the same checks: for the interpreter that a program or a
 * script names.
 */
bool program_file_open_path(const char *path, enum exec_use use, struct program_file *file,
			    struct error *error);

/*
 * Closes the file's descriptor, unless the file has record locks. A process that closes any
 * descriptor of a file loses all its locks on that file (fcntl(2)). The program may hold some from
 * before exec.
 */
void program_file_close(const struct program_file *file);
