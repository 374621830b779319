/*
 * Files on disks of this machine. A name that the program's memory holds may lie on a file system
 * whose server never answers: one that looks it up sleeps for good. So every component of a name is
 * known to be on a local file system before it is looked up. Host code.
 */
#ifndef LOADER_PROFILE_LOCAL_FILE_H
#define LOADER_PROFILE_LOCAL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

/* Where file systems are mounted that are not known to be local. local_mounts_free() frees them. */
struct local_mounts {
	char **barred; /* sorted */
	size_t count;
	unsigned steps; /* so many components are looked up yet, of all names together */
};

/* Reads /proc/self/mountinfo. False if that cannot be done, and then no file is known as local. */
bool local_mounts_read(struct local_mounts *mounts);

/* The same of an open file with such lines: proc_pid_mountinfo(5). */
bool local_mounts_parse(FILE *file, struct local_mounts *mounts);

/* Frees what either of the two has filled in, also where it has failed. */
void local_mounts_free(struct local_mounts *mounts);

/* Whether no such file system is mounted at this very path, which has no link in it. */
bool local_mounts_permit(const struct local_mounts *mounts, const char *path);

/*
 * An O_PATH descriptor of a file, and its status. -1: it is not there, not on local file systems
 * alone, not regular, or empty; or too many names have been looked up.
 */
int local_file_find(struct local_mounts *mounts, const char *path, struct stat *status);

/* Opens for reading what local_file_find() has found, and nothing else. -1 with errno. */
int local_file_open(int found);

#endif
