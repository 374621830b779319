/*
 * Files on disks of this machine. A name in the program's memory may be on a file system whose
 * server never answers: a process that looks it up sleeps forever. So every component of a name is
 * checked to be on a local file system before it is looked up. Host code.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

/*
 * The mount points of file systems that are not known to be local. local_mounts_free() frees them.
 */
struct local_mounts {
	char **barred; /* sorted */
	size_t count;
	unsigned steps; /* number of components, of all names together, that may still be looked
			   up */
};

/* Reads /proc/self/mountinfo. Returns false if that fails; then no file counts as local. */
bool local_mounts_read(struct local_mounts *mounts);

/* Does the same with an open file of such lines: proc_pid_mountinfo(5). */
bool local_mounts_parse(FILE *file, struct local_mounts *mounts);

/* Frees what either function has allocated, also after a failure. */
void local_mounts_free(struct local_mounts *mounts);

/* Whether no such file system is mounted at exactly this path, which contains no link. */
bool local_mounts_permit(const struct local_mounts *mounts, const char *path);

/*
 * An O_PATH descriptor of a file, and its status. -1 if the file is missing, not on local file
 * systems only, not regular, or empty, or if too many names have been looked up.
 */
int local_file_find(struct local_mounts *mounts, const char *path, struct stat *status);

/* Opens the file that local_file_find() has found for reading. Returns -1 with errno on failure. */
int local_file_open(int found);
