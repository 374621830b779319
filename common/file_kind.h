/* What a file is by its first bytes. */
#ifndef COMMON_FILE_KIND_H
#define COMMON_FILE_KIND_H

#include "common/error.h"

#include <stddef.h>

enum file_kind {
	FILE_KIND_NONE,	      /* no regular file is there */
	FILE_KIND_UNREADABLE, /* one is, but we may not look */
	FILE_KIND_ELF,
	FILE_KIND_SCRIPT, /* #! */
	FILE_KIND_TEXT,	  /* text without #!, which execve answers with ENOEXEC */
	FILE_KIND_OTHER,
};

/*
 * The kind of a file by the bytes that it begins with, ELF's four or all that there are. More of
 * them tell text from other files more surely. Pure.
 */
enum file_kind file_kind_of(const char *bytes, size_t length);

/* The kind of the file of this name; symbolic links, in /proc/self/fd too, are followed. */
enum file_kind file_kind_at(const char *path);

/* The sentence, with EXIT_NOT_LOADABLE, for a script or another file that is no program. */
bool file_kind_refuse(enum file_kind kind, struct error *error);

#endif
