/* Where the name of an output leads: to a file by its own name, or to a descriptor. */
#ifndef COMMON_OUTPUT_TARGET_H
#define COMMON_OUTPUT_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct output_target {
	char path[PATH_MAX]; /* its last component is no link; what it names need not be there */
	int descriptor;	     /* of this process, for a name such as /dev/stdout; -1: none */
	bool is_foreign; /* another process's descriptor in /proc, which only the kernel can follow
			  */
};

/* Follows symbolic links, a dangling one, too. False with errno. */
bool output_target_find(const char *name, struct output_target *target);

/*
 * Whether this file, which may be a link, may be trusted where it is: the kernel's rule for folders
 * like /tmp, where anybody can put a file in somebody else's way. False with EACCES.
 */
bool output_target_trusted(const char *path, const struct stat *status);

/* How many bytes of a path name its folder, with the slash. */
size_t output_target_folder(const char *path);

/* Whether two paths are one name in one folder. */
bool output_target_same(const char *one, const char *other);

#endif
