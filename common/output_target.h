/* Resolves the name of an output: to a file by its own name, or to a descriptor. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct output_target {
	char path[PATH_MAX]; /* its last component is not a link; the file need not exist */
	int descriptor;	     /* a descriptor of this process, for a name such as /dev/stdout; -1:
				none */
	bool is_foreign; /* another process's descriptor in /proc, which only the kernel can follow
			  */
};

/* Follows symbolic links, including dangling ones. Returns false with errno. */
bool output_target_find(const char *name, struct output_target *target);

/*
 * Whether this file, which may be a link, may be trusted in its folder. This is the kernel's rule
 * for folders like /tmp, where any user can create a file that another user will open. Returns
 * false with EACCES.
 */
bool output_target_trusted(const char *path, const struct stat *status);

/* The length of a path's folder, including the slash, in bytes. */
size_t output_target_folder(const char *path);

/* Whether two paths are the same name in the same folder. */
bool output_target_same(const char *one, const char *other);
